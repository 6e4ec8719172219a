// SPDX-License-Identifier: Apache-2.0
#include "evidence/figures.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/random_estimators.h"
#include "evidence/evidence.h"
#include "evidence/evidence_fixtures.h"
#include "render/evidence_report.h"
#include "support/text.h"

namespace espalier {
namespace {

const Claim& claim_that(const std::vector<Claim>& claims, const std::string& words) {
  const auto found =
      std::ranges::find_if(claims, [&](const Claim& one) { return contains(one.says, words); });
  EXPECT_NE(found, claims.end()) << words;
  return found == claims.end() ? claims.front() : *found;
}

const FigureEntry& figure(const std::string& id) {
  return *figures_named(std::vector<std::string>{id}).front();
}

TEST(Figures, HaveNamesOfTheirOwn) {
  std::set<std::string> ids;
  for (const FigureEntry& one : all_figures()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_NE(one.show, nullptr);
  }
  EXPECT_EQ(figures_named({}).size(), ids.size());
}

TEST(Figures, AreFoundByNameInTheOrderOfTheReport) {
  const auto some = figures_named(std::vector<std::string>{"fig6", "fig2", "fig6"});
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0]->id, "fig2");
  try {
    figures_named(std::vector<std::string>{"fg6"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean 'fig6'"));
    EXPECT_TRUE(contains(error.hint(), "environment"));
  }
}

TEST(PruningCurves, ShowMeansAndWhatSeedsSpan) {
  const EvidenceInput input = example_input();
  const Exhibit shown = figure("fig2").show(input, {});
  ASSERT_EQ(shown.charts.size(), 1U);  // bronze was pruned twice
  const Chart& chart = shown.charts[0];
  EXPECT_TRUE(contains(chart.title, "silver"));
  ASSERT_EQ(chart.series.size(), 2U);
  EXPECT_EQ(chart.series[0].name, "50 % pruned after 5 epochs");
  // 5 epochs and the fresh network, then the arrival and 20 epochs.
  ASSERT_EQ(chart.series[0].points.size(), 6U + 21U);
  const ChartPoint& arrival = chart.series[0].points[6];
  EXPECT_DOUBLE_EQ(arrival.y, 5.05);
  EXPECT_DOUBLE_EQ(*arrival.low, 5);
  EXPECT_DOUBLE_EQ(*arrival.high, 5.1);
}

TEST(Overview, TellsWhichTriesWentBeyondTheTraces) {
  EvidenceInput input = example_input();
  input.targets = {1, 2};
  Findings findings;
  findings.outcomes = {made_up("pact", 1, 10), made_up("pact, irreversible risk 1.5", 1, 70),
                       made_up("pact, irreversible risk 1.5", 2, 12)};
  findings.outcomes[1].untraced_epochs = 46;
  Exhibit shown = figure("decisions").show(input, findings);
  const Sheet& overview = shown.sheets.front();
  EXPECT_EQ(overview.columns.back(), "untraced epochs");
  EXPECT_EQ(std::get<std::string>(overview.rows[0].back()), "none");
  EXPECT_EQ(std::get<std::string>(overview.rows[1].back()), "up to 46 in 1 of 2 tries");
  EXPECT_TRUE(contains(shown.words.back(), "not measured")) << shown.words.back();
  EXPECT_TRUE(contains(shown.words.back(), "irreversible risk 1.5 (deadline loose)"));
  const auto drawn =
      std::ranges::find(shown.charts[0].series, "pact, irreversible risk 1.5", &ChartSeries::name);
  ASSERT_NE(drawn, shown.charts[0].series.end());
  EXPECT_TRUE(std::isnan(drawn->points[0].y)) << "all of it went beyond the traces";
  EXPECT_EQ(drawn->points[1].y, 12);
  findings.outcomes[1].untraced_epochs = 0;
  shown = figure("decisions").show(input, findings);
  EXPECT_EQ(shown.sheets.front().columns.back(), "reached");
  EXPECT_FALSE(contains(shown.words.back(), "not measured"));
}

TEST(EnergyByTarget, DrawsTheDeadlineWhereItBinds) {
  EvidenceInput input = example_input();
  input.regimes.push_back({"binding", "ours", Seconds{9}, true});
  const Exhibit shown = figure("fig6").show(input, {});
  std::vector<std::optional<double>> limits;
  for (const Chart& chart : shown.charts) {
    if (contains(chart.title, "over time")) limits.push_back(chart.limit);
    if (contains(chart.title, "Energy over time")) {
      EXPECT_TRUE(contains(chart.y_name, "units"));
    }
  }
  const std::vector<std::optional<double>> wanted{std::nullopt, std::nullopt, 9, 9};
  EXPECT_EQ(limits, wanted);
}

TEST(EffectOfGrid, ThePageShowsSwitchesAtTheTightestAndTheLoosestTarget) {
  EvidenceInput input = example_input();
  Findings findings;
  for (const double target : input.targets)
    findings.outcomes.push_back(made_up("pact, γ_ℓ = 0.001", target, {{"L", 4, 8}, {"S", 3, 2}}));
  const Exhibit shown = figure("fig8").show(input, findings);
  const auto switches = std::ranges::find(shown.sheets, "fig8-switches", &Sheet::name);
  ASSERT_NE(switches, shown.sheets.end());
  EXPECT_EQ(switches->rows.size(), 3U);
  EXPECT_EQ(switches->rows_on_page, (std::vector<std::size_t>{0, 2}));
}

// --- claims

TEST(EnergyClaims, HoldWherePactIsCloseAndBetter) {
  EvidenceInput input = example_input();
  input.targets = {1, 2};
  input.forecasters.emplace_back(support::random_run_network(1), Tensors{}, ForecastTuning{});
  Findings findings;
  for (const double target : input.targets) {
    findings.outcomes.push_back(made_up("optimum", target, 10));
    findings.outcomes.push_back(made_up("pact", target, 10.2));
    findings.outcomes.push_back(made_up("policy", target, 10.4));
    findings.outcomes.push_back(made_up("static-learn", target, target == 1 ? 20 : 10.5));
    findings.outcomes.push_back(made_up("one-switch", target, target == 1 ? 11 : 10));
  }
  const auto claims = figure("fig6").claims(input, findings);
  EXPECT_TRUE(claim_that(claims, "pact is within 5 %").holds());
  EXPECT_NEAR(claim_that(claims, "pact is within 5 %").margin, 3, 1e-9);
  EXPECT_FALSE(claim_that(claims, "policy is within 3 %").holds());
  EXPECT_TRUE(claim_that(claims, "pact spends at least 10 % less than static-learn").holds());
  const Claim& one_switch = claim_that(claims, "pact spends at least 10 % less than one-switch");
  EXPECT_FALSE(one_switch.holds());  // 7.3 % less
  EXPECT_TRUE(contains(one_switch.found, "the optimum spends 9.1 % less")) << one_switch.found;
  EXPECT_TRUE(claim_that(claims, "all strategies spend much the same").holds());
  EXPECT_TRUE(claim_that(claims, "static-learn falls behind").holds());
}

TEST(EnergyClaims, FailWhereAGoalWasMissed) {
  EvidenceInput input = example_input();
  input.targets = {1};
  input.forecasters.emplace_back(support::random_run_network(1), Tensors{}, ForecastTuning{});
  Findings findings;
  findings.outcomes = {made_up("optimum", 1, 10, 1), made_up("optimum", 1, 10, 2),
                       made_up("pact", 1, 10, 1), made_up("pact", 1, 0.0, 2),
                       made_up("static-learn", 1, 20, 1)};
  const auto claims = figure("fig6").claims(input, findings);
  const Claim& close = claim_that(claims, "pact is within 5 %");
  EXPECT_FALSE(close.holds());
  EXPECT_TRUE(contains(close.found, "1 missed")) << close.found;
  EXPECT_EQ(close.margin, -1);
  EXPECT_EQ(close.unit, "missed");
}

TEST(EnergyClaims, WhoHasNoCourseIsBeaten) {
  EvidenceInput input = example_input();
  input.targets = {1};
  input.forecasters.emplace_back(support::random_run_network(1), Tensors{}, ForecastTuning{});
  Findings findings;
  findings.outcomes = {made_up("optimum", 1, 10), made_up("pact", 1, 10),
                       made_up("static-learn", 1, 0.0)};
  const auto claims = figure("fig6").claims(input, findings);
  EXPECT_TRUE(claim_that(claims, "pact spends at least 10 % less than static-learn").holds());
}

TEST(ModelClaims, CompareEnergiesOnTheFirstAndTheLastModel) {
  EvidenceInput input = example_input();
  Findings findings;
  const double target = input.targets.front();
  findings.outcomes = {made_up("pact", target, {{"L", 4, 12}, {"M", 3, 6}}),
                       made_up("static-learn", target, {{"L", 2, 6}, {"M", 3, 6}, {"S", 5, 5}})};
  auto claims = figure("fig7").claims(input, findings);
  EXPECT_TRUE(claim_that(claims, "more on L").holds());
  EXPECT_DOUBLE_EQ(claim_that(claims, "more on L").margin, 6);
  EXPECT_TRUE(claim_that(claims, "less on S").holds());
  findings.outcomes[0] = made_up("pact", target, {{"L", 1, 3}, {"S", 9, 9}});
  claims = figure("fig7").claims(input, findings);
  EXPECT_FALSE(claim_that(claims, "more on L").holds());
  EXPECT_FALSE(claim_that(claims, "less on S").holds());
}

TEST(GridClaims, TellHowMuchLaterSwitchesAre) {
  EvidenceInput input = example_input();
  input.targets = {1};
  Findings findings;
  findings.outcomes = {made_up("pact, γ_ℓ = 0.001", 1, {{"L", 4, 8}, {"S", 3, 2}}),
                       made_up("pact, γ_ℓ = 0.01", 1, {{"L", 6, 9}, {"S", 3, 1.5}}),
                       made_up("static-learn", 1, 12)};
  const auto claims = figure("fig8").claims(input, findings);
  EXPECT_TRUE(claim_that(claims, "at most 10 % more").holds());
  EXPECT_TRUE(claim_that(claims, "still spends less").holds());
  const Claim& later = claim_that(claims, "switches later");
  EXPECT_TRUE(later.holds());
  EXPECT_DOUBLE_EQ(later.margin, 2);
}

TEST(BiasClaims, WantBothSignsToCostTheSame) {
  EvidenceInput input = example_input();
  input.targets = {1};
  Findings findings;
  findings.outcomes = {made_up("pact", 1, 10), made_up("pact, bias +20 %", 1, 10.5),
                       made_up("pact, bias -20 %", 1, 12), made_up("static-learn", 1, 11)};
  const auto claims = figure("fig9").claims(input, findings);
  EXPECT_FALSE(claim_that(claims, "both signs").holds());
  EXPECT_TRUE(claim_that(claims, "pact, bias +20 % still spends less").holds());
  EXPECT_FALSE(claim_that(claims, "pact, bias -20 % still spends less").holds());
}

TEST(BiasClaims, SayNothingWhereNoDecisionChanged) {
  EvidenceInput input = example_input();
  input.targets = {1, 2};
  Findings findings;
  for (const char* who : {"pact", "pact, bias +20 %", "pact, bias -20 %", "static-learn"}) {
    for (const double target : input.targets)
      findings.outcomes.push_back(made_up(who, target, {{"L", 1, 2}, {"S", 9, 9}}));
  }
  for (const Claim& claim : figure("fig9").claims(input, findings))
    EXPECT_FALSE(claim.is_said()) << claim.says;
  // Of +20 %, at the loosest target only.
  findings.outcomes[3] = made_up("pact, bias +20 %", 2, {{"L", 2, 4}, {"S", 8, 8}});
  const auto claims = figure("fig9").claims(input, findings);
  EXPECT_TRUE(claim_that(claims, "bias +20 % spends at most").is_said());
  EXPECT_TRUE(claim_that(claims, "both signs").is_said());
  EXPECT_FALSE(claim_that(claims, "bias -20 % spends at most").is_said());
  EXPECT_FALSE(claim_that(claims, "bias +20 % switches earlier").is_said());
}

TEST(ModelClaims, SayNothingOfWhoNeverReachedTheTarget) {
  EvidenceInput input = example_input();
  Findings findings;
  const double target = input.targets.front();
  findings.outcomes = {made_up("pact", target, {{"L", 4, 12}}),
                       made_up("static-learn", target, 0.0)};
  for (const Claim& claim : figure("fig7").claims(input, findings))
    EXPECT_FALSE(claim.is_said()) << claim.says;
}

TEST(PromiseClaims, SayNothingWithoutAPromiseOfBoth) {
  Findings findings;
  findings.promises.emplace_back();
  findings.promises[0].rows = {{"expectation-margin", 0.9, false, 0, {0, 1}, 0, 0},
                               {"depl", 0.9, true, 0.905, {0.89, 0.92}, 10, 0.05}};
  const auto claims = figure("depl").claims(example_input(), findings);
  EXPECT_FALSE(claim_that(claims, "depl costs over 27 % less").is_said());
  EXPECT_FALSE(claim_that(claims, "policy achieves").is_said());
  EXPECT_FALSE(claim_that(claims, "expected values alone").is_said());
}

TEST(PromiseClaims, AreAboutWhatWasPromised) {
  Findings findings;
  findings.promises.emplace_back();
  findings.promises[0].rows = {
      {"expectation", 0.9, true, 0.6, {0.58, 0.62}, 8, 0.0},
      {"expectation-margin", 0.9, true, 0.92, {0.91, 0.93}, 20, 0.5},
      {"depl", 0.9, true, 0.905, {0.89, 0.92}, 10, 0.05},
      {"policy", 0.9, true, 0.85, {0.84, 0.86}, 19, 0.2},
      {"depl", 0.95, false, 0, {0, 1}, 0, 0},
  };
  const auto claims = figure("depl").claims(example_input(), findings);
  EXPECT_TRUE(claim_that(claims, "depl achieves").holds());
  EXPECT_FALSE(claim_that(claims, "policy achieves").holds());
  EXPECT_NEAR(claim_that(claims, "policy achieves").margin, -5, 1e-9);
  EXPECT_TRUE(claim_that(claims, "expected values alone").holds());
  EXPECT_TRUE(claim_that(claims, "depl costs over 27 % less").holds());
  EXPECT_FALSE(claim_that(claims, "policy costs over 27 % less").holds());
  EXPECT_TRUE(claim_that(claims, "depl closely matches").holds());
}

TEST(TableClaims, CompareWithThePaper) {
  Findings findings;
  findings.estimators.emplace();
  auto& run = findings.estimators->run.spread;
  run.mae.mean = 0.02;
  run.mil.mean = 0.07;
  run.icp.mean = 0.91;
  const auto claims = figure("table1").claims(example_input(), findings);
  ASSERT_EQ(claims.size(), 3U);  // nobody fitted changes
  EXPECT_FALSE(claim_that(claims, "MAE of the run").holds());
  EXPECT_TRUE(claim_that(claims, "MIL of the run").holds());
  EXPECT_TRUE(claim_that(claims, "hold 90 %").holds());
}

TEST(TableClaims, HoldTooWideRangesForAsWrongAsTooNarrowOnes) {
  Findings findings;
  findings.estimators.emplace();
  auto& change = findings.estimators->change.emplace();
  const auto coverage_holds = [&](double icp, std::size_t predictions) {
    change.spread.icp.mean = icp;
    change.pooled.count = predictions;
    return claim_that(figure("table1").claims(example_input(), findings),
                      "of the change estimator hold")
        .holds();
  };
  EXPECT_TRUE(coverage_holds(0.88, 10'000));
  EXPECT_FALSE(coverage_holds(0.86, 10'000));
  EXPECT_FALSE(coverage_holds(0.94, 10'000));
  EXPECT_TRUE(coverage_holds(0.94, 162));  // two standard errors are 4.7 points
  EXPECT_FALSE(coverage_holds(0.975, 162));
}

// --- all of it

EvidenceInput input_with_estimators() {
  EvidenceInput input = example_input();
  input.targets = {3.0, 3.4};
  input.scenario.training.emplace();
  for (std::int32_t nodes = 0; nodes < 3; ++nodes)
    input.scenario.training->nodes.push_back({.nodes = {nodes}, .samples = 1000, .classes = 10});
  input.rows = as_collected(input.rows);
  input.splits = split_seeds(input.rows, 2);
  for (int i = 0; i < 2; ++i)
    input.forecasters.emplace_back(support::random_run_network(1),
                                   support::random_change_network(2), ForecastTuning{});
  return input;
}

// Nobody fitted these networks: it is not about how good they are.
TEST(GatherEvidence, TriesEverythingOnceAndTheSameWithAnyNumberOfWorkers) {
  EvidenceInput input = input_with_estimators();
  const auto figures =
      figures_named(std::vector<std::string>{"table1", "fig4", "fig7", "fig8", "fig9"});
  const auto told = [&](unsigned workers) {
    input.workers = workers;
    const auto evidence = gather_evidence(figures, input, {});
    std::string text;
    for (const Claim& claim : evidence->claims) text += claim.says + ": " + claim.found + "\n";
    for (const Exhibit& exhibit : evidence->exhibits) {
      for (const Sheet& sheet : exhibit.sheets) text += sheet_csv(sheet);
    }
    return text;
  };
  const std::string alone = told(1);
  EXPECT_EQ(alone, told(3));
  EXPECT_TRUE(contains(alone, "static-learn"));
}

TEST(GatherEvidence, MakesEveryFigureThatTracesAllow) {
  const EvidenceInput input = example_input();
  std::vector<const FigureEntry*> figures;
  for (const FigureEntry* one : figures_named({})) {
    if (one->estimators != FigureEntry::Estimators::Needed && !one->needs_rules)
      figures.push_back(one);
  }
  std::atomic<std::size_t> done = 0;
  const auto evidence = gather_evidence(figures, input, {.done = [&] { ++done; }});
  ASSERT_TRUE(evidence.has_value());
  EXPECT_EQ(evidence->exhibits.size(), figures.size());
  EXPECT_EQ(done, piece_count(figures, input));
}

}  // namespace
}  // namespace espalier
