// SPDX-License-Identifier: Apache-2.0
#include "evidence/trials.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "evidence/arena.h"
#include "evidence/evidence_fixtures.h"
#include "evidence/tally.h"

namespace espalier {
namespace {

TEST(SplitSeeds, NobodyJudgesWhatItTaught) {
  std::vector<TraceRow> rows;
  for (const std::uint64_t seed : {7U, 3U, 5U, 9U, 11U}) {
    TraceRow row;
    row.seed = seed;
    rows.push_back(row);
  }
  const auto splits = split_seeds(rows, 2);
  ASSERT_EQ(splits.size(), 2U);
  EXPECT_EQ(splits[0].judged, (std::vector<std::uint64_t>{3, 7, 11}));
  EXPECT_EQ(splits[0].learnt, (std::vector<std::uint64_t>{5, 9}));
  EXPECT_EQ(splits[1].judged, splits[0].learnt);
  EXPECT_EQ(splits[0].judged_rows.size(), 3U);
  EXPECT_EQ(splits[0].learnt_rows.size(), 2U);
}

TEST(SplitSeeds, HasNoMoreGroupsThanSeeds) {
  EXPECT_EQ(split_seeds(example_input().rows, 9).size(), 2U);
  EXPECT_THROW(split_seeds(example_traces(), 2), Error);
}

std::vector<Contender> without_estimators() {
  std::vector<Contender> some;
  for (const Contender& one : usual_contenders()) {
    if (!one.needs_estimators()) some.push_back(one);
  }
  return some;
}

std::vector<TryOutcome> held(const EvidenceInput& input) {
  const auto trials = trials_of(input, "loose", without_estimators(), input.targets);
  return hold_trials(trials, input, {}, [] {});
}

TEST(HoldTrials, NobodyBeatsTheOptimum) {
  const EvidenceInput input = example_input();
  Findings findings;
  findings.outcomes = held(input);
  ASSERT_EQ(findings.outcomes.size(), 3U * without_estimators().size() * 2U);
  for (const Contender& who : without_estimators()) {
    const EnergyGap gap = gap_between(findings, "loose", who.name, "optimum", input.targets);
    EXPECT_GE(gap.share, 0) << who.name;
    EXPECT_EQ(gap.both + gap.missed, 6U) << who.name;
  }
  EXPECT_EQ(gap_between(findings, "loose", "optimum", "optimum", input.targets).share, 0);
}

TEST(HoldTrials, SeedsComeInOrderWithTheirOwnLosses) {
  const EvidenceInput input = example_input();
  const auto trials =
      trials_of(input, "loose", std::vector{contender_named("no-switch")}, std::vector{3.0});
  const auto outcomes = hold_trials(trials, input, {}, [] {});
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes[0].seed, 1U);
  EXPECT_EQ(outcomes[0].epochs, 10);  // from 4 by 0.1 an epoch
  EXPECT_EQ(outcomes[1].seed, 2U);
  EXPECT_EQ(outcomes[1].epochs, 11);
  EXPECT_DOUBLE_EQ(outcomes[0].energy_on("L"), 30);
}

TEST(HoldTrials, DoesNotDependOnTheNumberOfWorkers) {
  EvidenceInput input = example_input();
  const auto flat = [&](unsigned workers) {
    input.workers = workers;
    std::vector<double> figures;
    for (const TryOutcome& one : held(input)) {
      for (const OutcomeStep& step : one.steps) {
        figures.push_back(step.loss);
        figures.push_back(step.energy);
      }
    }
    return figures;
  };
  EXPECT_EQ(flat(1), flat(4));
}

TEST(HoldTrials, StopsWhenAsked) {
  const EvidenceInput input = example_input();
  std::stop_source stop;
  stop.request_stop();
  const auto trials = trials_of(input, "loose", without_estimators(), input.targets);
  EXPECT_TRUE(hold_trials(trials, input, stop.get_token(), [] {}).empty());
}

TEST(HoldTrials, ABiasChangesWhatIsBelievedOfTheFirstModel) {
  const EvidenceInput input = example_input();
  Contender pact = contender_named("pact, told the truth");
  const auto epochs_on_gold = [&](double bias) {
    pact.bias = bias;
    const auto trials = trials_of(input, "loose", std::vector{pact}, std::vector{3.4});
    const auto outcomes = hold_trials(trials, input, {}, [] {});
    return outcomes.front().stages.front().model == "L" ? outcomes.front().stages.front().epochs
                                                        : 0;
  };
  EXPECT_NE(epochs_on_gold(-0.95), epochs_on_gold(0));
}

TEST(WithoutRepeats, KeepsOneOfEachAndWhatNeedsNothing) {
  const EvidenceInput input = example_input();
  auto trials = trials_of(input, "loose", usual_contenders(), input.targets);
  const auto again = trials;
  trials.insert(trials.end(), again.begin(), again.end());
  const auto kept = without_repeats(trials, input);
  EXPECT_EQ(kept.size(), 3U * without_estimators().size());
  EXPECT_EQ(try_count(kept, input), 2 * kept.size());
  EXPECT_TRUE(trials_of(input, "no such regime", usual_contenders(), input.targets).empty());
}

TEST(Arena, KnowsWhenTheLongestCourseEnds) {
  const EvidenceInput input = example_input();
  const Arena arena(input.scenario, input.rows, nullptr);
  // 20 epochs of 1, 2 and 3 s, and two changes of half a second. M on bronze was never traced.
  EXPECT_DOUBLE_EQ(arena.end_of_traces().value, 20 + 40 + 60 + 1);
}

TEST(RegimesOf, FindADeadlineThatBinds) {
  EvidenceInput input = example_input();
  input.scenario.goal.deadline = Seconds{1000};
  const std::vector<double> targets{1.5, 3};
  const auto regimes = regimes_of(input.scenario, input.rows, targets);
  ASSERT_GE(regimes.size(), 1U);
  EXPECT_EQ(regimes[0].id, "loose");
  EXPECT_DOUBLE_EQ(regimes[0].deadline.value, 121);  // later nothing is traced
  for (const Regime& regime : regimes) {
    Scenario scenario = input.scenario;
    scenario.goal.loss = Loss{1.5};
    scenario.goal.deadline = regime.deadline;
    const Arena arena(scenario, input.rows, nullptr);
    for (std::size_t run = 0; run < arena.seed_count(); ++run)
      EXPECT_TRUE(arena.live(contender_named("optimum"), run).reached()) << regime.id;
  }
}

}  // namespace
}  // namespace espalier
