// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "realisations/truth.h"
#include "simulation/summary.h"

namespace espalier {
namespace {

constexpr PlacementId kLarge{0};
constexpr PlacementId kSmall{1};

// Two models on one node set; an epoch takes 1 s; L costs 2 J and halves the loss, S costs 1 J.
Scenario two_models(NoiseSpec noise = {}, double jump_noise = 0) {
  const auto learn = [&](double rate) {
    return LearnSpec{RuleShape{PowerRule{rate, 0, 1}}, noise, {}};
  };
  Scenario scenario;
  scenario.name = "two";
  scenario.goal = {Loss{0.2}, Seconds{20}, 0.95};
  scenario.start = {{0}, {0}, Loss{1}};
  scenario.models = {{"L", {}, 0}, {"S", {}, 0.5}};
  scenario.node_sets = {{"gold", {}, {}}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{2}, learn(0.5)},
                   {{1}, {0}, Seconds{1}, Joules{1}, learn(0.25)}};
  scenario.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.25}, {{0.1, 1}, jump_noise, {}}}};
  return scenario;
}

// Follows a script of placements by epoch; its last entry repeats.
class Scripted final : public Strategy {
 public:
  explicit Scripted(std::vector<PlacementId> script, int epochs = 100)
      : script_(std::move(script)), epochs_(epochs) {}

  Scripted committed() const {
    Scripted copy = *this;
    copy.info_.commits = true;
    return copy;
  }

  const StrategyInfo& info() const override { return info_; }
  std::unique_ptr<Planner> planner(const Problem& problem, const PlannerOptions&) const override {
    return std::make_unique<Reader>(problem, script_, epochs_);
  }

 private:
  class Reader final : public Planner {
   public:
    Reader(const Problem& problem, const std::vector<PlacementId>& script, int epochs)
        : problem_(problem), script_(script), epochs_(epochs) {}
    PlanResult plan(const State& now, std::stop_token) override {
      std::vector<PlacementId> rest;
      for (int k = now.epoch; k < epochs_; ++k) {
        rest.push_back(
            script_[std::min<std::size_t>(static_cast<std::size_t>(k), script_.size() - 1)]);
      }
      PlanResult result;
      result.plan = follow(problem_, Estimator::Expected, now, rest);
      result.verdict = Verdict::Limit;
      return result;
    }

   private:
    const Problem& problem_;
    std::vector<PlacementId> script_;
    int epochs_;
  };

  std::vector<PlacementId> script_;
  int epochs_;
  StrategyInfo info_{.name = "scripted", .summary = {}, .description = {}};
};

std::vector<RunRecord> run(const Scenario& scenario, const Strategy& strategy,
                           SimulationOptions options = {}) {
  const Problem estimated = Problem::estimated(scenario);
  const Problem actual = Problem::actual(scenario);
  return simulate_runs({estimated, reality_of(actual)}, strategy, {}, options);
}

TEST(Simulation, WithoutNoiseIsWhatThePlanSays) {
  const auto records = run(two_models(), Scripted({kLarge, kSmall}));
  ASSERT_EQ(records.size(), 1U);
  const RunRecord& record = records[0];
  EXPECT_TRUE(record.reached());
  EXPECT_EQ(record.switches, 1);
  EXPECT_DOUBLE_EQ(record.course.steps[0].loss.value, 0.5);
  EXPECT_DOUBLE_EQ(record.course.steps[1].loss.value, 0.45);
  EXPECT_DOUBLE_EQ(record.course.end().time.value, 5.5);
  EXPECT_DOUBLE_EQ(record.course.end().energy.value, 2 + 0.25 + 4);
  EXPECT_EQ(record.plans, 5);
}

TEST(Simulation, PlansOnceInAnOpenLoop) {
  const auto records = run(two_models(), Scripted({kLarge}), {.run = {.loop = Loop::Open}});
  EXPECT_TRUE(records[0].reached());
  EXPECT_EQ(records[0].plans, 1);
}

TEST(Simulation, ObservesTheTruthAndNotTheEstimate) {
  Scenario scenario = two_models();
  scenario.truth.runs = {{{0}, {0}, LearnSpec{RuleShape{PowerRule{0.1, 0, 1}}, {}, {}}}};
  EXPECT_EQ(run(scenario, Scripted({kLarge}))[0].course.steps.size(), 16U);
  // The estimate ends after three epochs, and an open loop with it.
  const auto open = run(scenario, Scripted({kLarge}), {.run = {.loop = Loop::Open}});
  EXPECT_EQ(open[0].end, RunEnd::NothingToSay);
  EXPECT_EQ(open[0].course.steps.size(), 3U);
}

TEST(Simulation, EndsWhenNoFurtherEpochFitsBeforeTheDeadline) {
  Scenario scenario = two_models();
  scenario.goal.deadline = Seconds{2.5};
  const auto records = run(scenario, Scripted({kLarge}));
  EXPECT_EQ(records[0].end, RunEnd::DeadlinePassed);
  EXPECT_EQ(records[0].course.steps.size(), 2U);
}

TEST(Simulation, EndsWhenTheStrategyHasNothingToSay) {
  const auto records = run(two_models(), Scripted({kLarge}, 1));
  EXPECT_EQ(records[0].end, RunEnd::NothingToSay);
  EXPECT_EQ(records[0].fallbacks, 1);
}

TEST(Simulation, EndsAtTheEpochLimit) {
  const auto records = run(two_models(), Scripted({kLarge}), {.run = {.max_epochs = 2}});
  EXPECT_EQ(records[0].end, RunEnd::EpochLimit);
}

TEST(Simulation, ReachesAGoalThatHoldsFromTheStartAtNoCost) {
  Scenario scenario = two_models();
  scenario.goal.loss = Loss{1};
  const auto records = run(scenario, Scripted({kLarge}));
  EXPECT_TRUE(records[0].reached());
  EXPECT_EQ(records[0].plans, 0);
  EXPECT_EQ(records[0].course.end().energy.value, 0);
}

TEST(Simulation, DoesNotDependOnTheNumberOfThreads) {
  const Scenario scenario = two_models({.run = 0.3, .epoch = 0.3}, 0.2);
  const Scripted strategy({kLarge, kSmall});
  const auto one = run(scenario, strategy, {.runs = 40, .workers = 1});
  const auto many = run(scenario, strategy, {.runs = 40, .workers = 7});
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].course.end().loss, many[i].course.end().loss) << i;
    EXPECT_EQ(one[i].course.end().energy, many[i].course.end().energy) << i;
  }
}

TEST(Simulation, RethrowsWhatAWorkerThrew) {
  class Broken final : public Strategy {
   public:
    const StrategyInfo& info() const override { return info_; }
    std::unique_ptr<Planner> planner(const Problem&, const PlannerOptions&) const override {
      throw Error(ErrorCode::BadInput, "broken");
    }

   private:
    StrategyInfo info_{};
  };
  EXPECT_THROW(run(two_models(), Broken(), {.runs = 10, .workers = 3}), Error);
}

// Believes the same whatever happens, and remembers which courses it was asked about.
class Stubborn final : public Outlook {
 public:
  Stubborn(const Problem& problem, std::vector<std::size_t>& asked)
      : problem_(problem), asked_(asked) {}
  Problem after(const Plan& course) override {
    asked_.push_back(course.steps.size());
    return problem_;
  }

 private:
  const Problem& problem_;
  std::vector<std::size_t>& asked_;
};

struct Renewed {
  std::vector<RunRecord> records{};
  std::vector<std::size_t> asked{};
};

Renewed run_with_outlook(const Scenario& scenario, const Strategy& strategy,
                         SimulationOptions options = {}) {
  const Problem estimated = Problem::estimated(scenario);
  const Problem actual = Problem::actual(scenario);
  Renewed renewed;
  options.workers = 1;
  const World world{estimated, reality_of(actual), [&](std::size_t) {
                      return std::make_unique<Stubborn>(estimated, renewed.asked);
                    }};
  renewed.records = simulate_runs(world, strategy, {}, options);
  return renewed;
}

TEST(Outlook, ThatBelievesTheSameGivesTheSameRuns) {
  const Scenario scenario = two_models({.run = 0.3, .epoch = 0.3}, 0.2);
  const Scripted strategy({kLarge, kSmall});
  const auto plain = run(scenario, strategy, {.runs = 20});
  const auto renewed = run_with_outlook(scenario, strategy, {.runs = 20}).records;
  ASSERT_EQ(plain.size(), renewed.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i].course.end().loss, renewed[i].course.end().loss) << i;
    EXPECT_EQ(plain[i].course.end().energy, renewed[i].course.end().energy) << i;
    EXPECT_EQ(plain[i].plans, renewed[i].plans) << i;
    EXPECT_EQ(plain[i].end, renewed[i].end) << i;
  }
}

TEST(Outlook, IsAskedBeforeEveryDecisionAboutAllThatHappened) {
  const auto renewed = run_with_outlook(two_models(), Scripted({kLarge, kSmall}));
  EXPECT_EQ(renewed.asked, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Outlook, IsAskedOnceInAnOpenLoop) {
  const Scripted strategy({kLarge});
  EXPECT_EQ(run_with_outlook(two_models(), strategy, {.run = {.loop = Loop::Open}}).asked.size(),
            1U);
  const Renewed committed = run_with_outlook(two_models(), strategy.committed());
  EXPECT_EQ(committed.asked.size(), 1U);
  EXPECT_TRUE(committed.records[0].reached());
}

TEST(Outlook, DecidesByWhatIsBelievedNow) {
  // Believes in S alone from the second epoch on.
  class Turning final : public Outlook {
   public:
    explicit Turning(const Problem& problem) : problem_(problem) {}
    Problem after(const Plan& course) override {
      return course.steps.empty() ? problem_.without(kSmall) : problem_.without(kLarge);
    }

   private:
    const Problem& problem_;
  };
  // Goes wherever an epoch is possible.
  class Willing final : public Strategy {
   public:
    const StrategyInfo& info() const override { return info_; }
    std::unique_ptr<Planner> planner(const Problem& problem, const PlannerOptions&) const override {
      const PlacementId to = problem.training(kLarge).possible ? kLarge : kSmall;
      return Scripted({to}).planner(problem, {});
    }

   private:
    StrategyInfo info_{.name = "willing", .summary = {}, .description = {}};
  };
  const Problem problem = Problem::estimated(two_models());
  const World world{problem, reality_of(problem),
                    [&](std::size_t) { return std::make_unique<Turning>(problem); }};
  const auto records = simulate_runs(world, Willing(), {}, {});
  const auto stages = records[0].course.stages();
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].epochs, 1);
  EXPECT_EQ(stages[1].placement, kSmall);
}

TEST(Problem, ForbidsMovesAndKeepsTheRest) {
  Scenario scenario = two_models();
  scenario.model_changes.push_back({{1}, {0}, Seconds{1}, Joules{1}, {}});
  const Problem all = Problem::estimated(scenario);
  const Problem some =
      all.only([](const Placement& from, const Placement&) { return from.model == ModelId{0}; });
  EXPECT_TRUE(all.change(kSmall, kLarge).has_value());
  EXPECT_FALSE(some.change(kSmall, kLarge).has_value());
  EXPECT_EQ(some.change(kLarge, kSmall)->time, Seconds{0.5});
  EXPECT_TRUE(some.change(kSmall, kSmall).has_value());
  EXPECT_FALSE(some.with_bias({0}, 0.1).unlucky(1, 5).change(kSmall, kLarge).has_value());
}

TEST(Truth, GivesEveryStrategyTheSameLuck) {
  const Scenario scenario = two_models({.run = 0.4, .epoch = 0.4}, 0.3);
  const Problem actual = Problem::actual(scenario);
  const Truth truth(actual, 5, 11);
  const auto factor = [&](const State& before, PlacementId to, double rate) {
    return (before.loss.value - truth.advance(before, to)->loss.value) / (rate * before.loss.value);
  };
  const State as_large{kLarge, 3, Loss{1}, Seconds{3}, Joules{6}};
  const State as_small{kSmall, 3, Loss{0.7}, Seconds{9}, Joules{1}};
  EXPECT_NEAR(factor(as_large, kLarge, 0.5), factor(as_small, kSmall, 0.25), 1e-12);
}

TEST(Truth, IsDrawnAnewForEveryRunAndSeed) {
  const Scenario scenario = two_models({.run = 0.4, .epoch = 0});
  const Problem actual = Problem::actual(scenario);
  const auto first = [&](std::uint64_t seed, std::uint64_t run) {
    return Truth(actual, seed, run).advance(actual.start(), kLarge)->loss.value;
  };
  EXPECT_NE(first(1, 0), first(1, 1));
  EXPECT_NE(first(1, 0), first(2, 0));
}

TEST(Truth, ScalesDecreasesByAFactorOfMeanOne) {
  const Scenario scenario = two_models({.run = 0.2, .epoch = 0.1});
  const Problem actual = Problem::actual(scenario);
  double sum = 0;
  constexpr int kRuns = 20'000;
  for (std::uint64_t i = 0; i < kRuns; ++i) {
    sum += 1 - Truth(actual, 1, i).advance(actual.start(), kLarge)->loss.value;
  }
  EXPECT_NEAR(sum / kRuns, 0.5, 0.003);
}

TEST(Truth, KnowsWhetherAnythingIsRandom) {
  EXPECT_FALSE(has_noise(Problem::actual(two_models())));
  EXPECT_TRUE(has_noise(Problem::actual(two_models({.run = 0.1, .epoch = 0}))));
  EXPECT_TRUE(has_noise(Problem::actual(two_models({}, 0.1))));
}

// Is interrupted at the second epoch, and then says what is not possible: back to L.
class Interrupted final : public Planner {
 public:
  explicit Interrupted(std::stop_source& stop) : stop_(stop) {}
  PlanResult plan(const State& now, std::stop_token) override {
    if (now.epoch > 0) stop_.request_stop();
    PlanResult result;
    result.plan = Plan{now, {{now.epoch > 0 ? kLarge : kSmall, {}, {}, {}}}};
    return result;
  }

 private:
  std::stop_source& stop_;
};

TEST(SimulateRun, DoesNotFollowAPlannerThatWasInterrupted) {
  const Problem problem = Problem::actual(two_models());
  std::stop_source stop;
  Interrupted planner(stop);
  const auto reality = reality_of(problem)(1, 0);
  const RunRecord record = simulate_run(problem, *reality, planner, {}, stop.get_token());
  EXPECT_EQ(record.end, RunEnd::Stopped);
  EXPECT_EQ(record.course.steps.size(), 1U);
}

TEST(Truth, RefusesWhatTheScenarioDoesNotAllow) {
  const Problem actual = Problem::actual(two_models());
  const State small{kSmall, 0, Loss{1}, {}, {}};
  EXPECT_FALSE(Truth(actual, 1, 0).advance(small, kLarge).has_value());
}

}  // namespace
}  // namespace espalier
