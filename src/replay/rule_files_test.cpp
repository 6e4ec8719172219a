// SPDX-License-Identifier: Apache-2.0
#include "replay/rule_files.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/problem.h"
#include "io/trace_file.h"
#include "replay/example_traces.h"
#include "replay/mean_curve.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

using Lists = std::vector<std::vector<double>>;

std::vector<double> points_of_mean(const Lists& lists) {
  Curves curves;
  for (const auto& list : lists) curves.push_back(&list);
  const RuleShape shape = mean_curve(curves);
  return std::holds_alternative<CurveRule>(shape) ? std::get<CurveRule>(shape).points
                                                  : std::vector<double>{};
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

TEST(MeanCurve, IsTheMeanOfCurvesThatFall) {
  expect_near(points_of_mean({{4, 2, 1}, {2, 1, 0.6}}), {3, 1.5, 0.8});
}

TEST(MeanCurve, MakesNoStepWhereACurveEnds) {
  expect_near(points_of_mean({{4, 3}, {2, 1, 0.5}}), {3, 2, 1.5});
}

TEST(MeanCurve, PoolsEpochsThatRiseAndKeepsThePace) {
  // Epochs 1 and 2 have a mean of 2, at 1.5.
  expect_near(points_of_mean({{3, 1.9, 2.1, 1}}), {3, 3 - 1 / 1.5, 2 - 0.5 / 1.5, 1});
}

TEST(MeanCurve, DoesNothingWhereNothingIsLearned) {
  EXPECT_TRUE(points_of_mean({{1, 1.5, 2}}).empty());
  EXPECT_TRUE(points_of_mean({{1}}).empty());
}

TEST(MeanCurve, KnowsHowFarCurvesAreFromIt) {
  const Lists alike{{4, 2, 1}, {4, 2, 1}};
  const RuleShape rule = CurveRule{{4, 2, 1}};
  const NoiseSpec none = spread_around(rule, {&alike[0], &alike[1]});
  EXPECT_NEAR(none.run, 0, 1e-12);
  EXPECT_NEAR(none.epoch, 0, 1e-12);
  // One falls half as fast, the other half again: factors of 0.5 and 1.5, epoch by epoch.
  const RuleShape line = CurveRule{{4, 3, 2, 1, 0}};
  const std::vector<double> slow{4, 3.5, 3, 2.5};
  const std::vector<double> quick{4, 2.5, 1};
  const NoiseSpec some = spread_around(line, {&slow, &quick});
  EXPECT_NEAR(some.run, std::sqrt(std::log(1.5)), 1e-9);
  EXPECT_NEAR(some.epoch, 0, 1e-9);
}

Scenario told_by_traces(const std::string& file) {
  Scenario scenario = example_world();
  scenario.runs.erase(scenario.runs.begin() + 2);
  for (RunSpec& run : scenario.runs) run.learn.rule = RuleFile{RuleFile::Kind::Traces, file};
  return scenario;
}

std::vector<TraceRow> tall_traces() {
  std::vector<TraceRow> rows = example_traces();
  for (TraceRow& row : rows) row.loss.value += 10;
  return rows;
}

TEST(RuleFiles, TracesBecomeCurves) {
  const TemporaryFolder folder;
  folder.write("in/traces.csv", trace_text(tall_traces()));
  const Scenario read = with_rules_read(told_by_traces("in/traces.csv"), folder.path());
  const auto& gold = std::get<CurveRule>(std::get<RuleShape>(read.runs[0].learn.rule)).points;
  ASSERT_EQ(gold.size(), 21U);
  EXPECT_NEAR(gold[3], 13.7, 1e-9);
  const auto& silver = std::get<CurveRule>(std::get<RuleShape>(read.runs[1].learn.rule)).points;
  EXPECT_NEAR(silver[1], 12.5 - 0.2, 1e-9);
  EXPECT_NO_THROW(Problem::estimated(read));
}

TEST(RuleFiles, ModelsOfTheSameRatioAreToldApartByHowTheyWereMade) {
  std::vector<TraceRow> rows = tall_traces();
  add_stage(rows, "1/gold/5x0.625/bronze", {50, 1}, 9);
  const TemporaryFolder folder;
  folder.write("traces.csv", trace_text(rows));
  Scenario scenario = told_by_traces("traces.csv");
  const auto first = [&](const Scenario& told) {
    const Scenario read = with_rules_read(told, folder.path());
    return std::get<CurveRule>(std::get<RuleShape>(read.runs[2].learn.rule)).points.front();
  };
  EXPECT_NEAR(first(scenario), 10 + (11 + 7 + 6 + 2) / 4.0, 1e-9);
  scenario.models[2].from = ModelId{0};
  EXPECT_NEAR(first(scenario), 50, 1e-9);
}

TEST(RuleFiles, NoiseThatTheScenarioGivesStays) {
  std::vector<TraceRow> rows = tall_traces();
  const auto more = example_traces(2, 13);
  rows.insert(rows.end(), more.begin(), more.end());
  add_stage(rows, "3/gold", {14, 0.2}, 9);
  const TemporaryFolder folder;
  folder.write("traces.csv", trace_text(rows));
  Scenario scenario = told_by_traces("traces.csv");
  EXPECT_GT(with_rules_read(scenario, folder.path()).runs[0].learn.noise.run, 0.01);
  scenario.runs[0].learn.noise = {.run = 0.5, .epoch = 0};
  EXPECT_EQ(with_rules_read(scenario, folder.path()).runs[0].learn.noise.run, 0.5);
}

std::string rule_refusal(const Scenario& scenario, const std::filesystem::path& folder) {
  try {
    with_rules_read(scenario, folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return std::string(error.what()) + " / " + error.hint();
  }
  return "accepted";
}

TEST(RuleFiles, SayWhatIsMissing) {
  const TemporaryFolder folder;
  folder.write("traces.csv", trace_text(tall_traces()));
  Scenario scenario = told_by_traces("traces.csv");
  scenario.models[1].prune = 0.51;
  const std::string told = rule_refusal(scenario, folder.path());
  EXPECT_TRUE(contains(told, "has no epochs of M on silver, 0.51 of its channels pruned")) << told;
  EXPECT_TRUE(contains(told, "silver with 0.5 pruned")) << told;
  EXPECT_TRUE(contains(rule_refusal(told_by_traces("none.csv"), folder.path()), "none.csv"));
}

}  // namespace
}  // namespace espalier
