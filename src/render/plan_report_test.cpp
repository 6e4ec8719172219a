// SPDX-License-Identifier: Apache-2.0
#include "render/plan_report.h"

#include <sstream>

#include <gtest/gtest.h>

#include "render/example_plan.h"
#include "render/json.h"
#include "render/sentences.h"
#include "render/text.h"
#include "support/text.h"

namespace espalier {
namespace {

Json data_of(const std::string& document) {
  const Json json = Json::parse(document);
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["status"], "ok");
  return json["data"];
}

TEST(PlanDocument, HasEverythingTheContractLists) {
  const Json data = data_of(plan_document(ExamplePlan().report()));
  for (const char* key :
       {"scenario", "strategy", "estimator", "verdict", "energy", "time", "loss", "epochs",
        "switches", "probability", "probability_interval", "lower_bound", "gap", "stages", "steps",
        "alternatives", "nearest", "stats"}) {
    EXPECT_TRUE(data.contains(key)) << key;
  }
  EXPECT_EQ(data["verdict"], "optimal");
  EXPECT_EQ(data["energy"], 4.25);
  EXPECT_EQ(data["switches"], 1);
  EXPECT_TRUE(data["probability"].is_null());
  EXPECT_TRUE(data["nearest"].is_null());
  EXPECT_EQ(data["stats"]["labels"], 12);
  EXPECT_EQ(data["stats"]["peak_bytes"], 345);
}

TEST(PlanDocument, CumulatesStepsAndSumsUpStages) {
  const Json data = data_of(plan_document(ExamplePlan().report()));
  ASSERT_EQ(data["steps"].size(), 3U);
  EXPECT_EQ(data["steps"][2]["epoch"], 3);
  EXPECT_EQ(data["steps"][2]["energy"], 4.25);
  ASSERT_EQ(data["stages"].size(), 2U);
  EXPECT_EQ(data["stages"][1]["model"], "S&S");
  EXPECT_EQ(data["stages"][1]["epochs"], 2);
  EXPECT_EQ(data["stages"][1]["energy"], 2.25);
  EXPECT_TRUE(data["stages"][1]["level"].is_null());
}

TEST(PlanDocument, SaysNullWhereThereIsNoPlan) {
  const ExamplePlan example;
  PlanReport report = example.report();
  report.result.plan.reset();
  report.result.verdict = Verdict::Infeasible;
  report.nearest.loss = Loss{0.4};
  const Json data = data_of(plan_document(report));
  EXPECT_TRUE(data["energy"].is_null());
  EXPECT_TRUE(data["lower_bound"].is_null());
  EXPECT_TRUE(data["steps"].empty());
  EXPECT_EQ(data["nearest"]["loss"], 0.4);
  EXPECT_TRUE(data["nearest"]["deadline"].is_null());
}

TEST(PlanText, TellsGoalVerdictStagesAndWhatNext) {
  const ExamplePlan example;
  const std::string text = plan_text(example.report(), Ink::none());
  EXPECT_TRUE(contains(text, "loss ≤ 0.2 by 5 s")) << text;
  EXPECT_TRUE(contains(text, "optimal: no plan costs less (proved, gap 0 %)")) << text;
  EXPECT_TRUE(contains(text, "1 → 0.5")) << text;
  EXPECT_TRUE(contains(text, "espalier plan 'my file.yaml' --explain")) << text;
  EXPECT_FALSE(contains(text, "\x1b")) << text;
}

TEST(PlanText, OffersTheNearestGoalAsACommand) {
  const ExamplePlan example;
  PlanReport report = example.report();
  report.planned.words.settings = {"goal.loss=0.01"};
  report.result.plan.reset();
  report.result.verdict = Verdict::Infeasible;
  report.nearest = {Loss{0.412345}, Seconds{6.5}};
  const std::string text = plan_text(report, Ink::none());
  EXPECT_TRUE(contains(text, "espalier plan 'my file.yaml' --set goal.loss=0.4124\n")) << text;
  EXPECT_TRUE(contains(text, "--set goal.loss=0.01 --set goal.deadline=6.5\n")) << text;
}

TEST(PlanText, ShowsNoFiguresOfPlansThatDoNotGetThere) {
  const ExamplePlan example;
  PlanReport report = example.report();
  PlanResult late = report.result;
  late.verdict = Verdict::Infeasible;
  late.notes = {"a last resort"};
  report.alternatives.push_back({"pact", late, Standing::Unreachable, {}});
  late.notes = {"on a coarser grid"};
  report.alternatives.push_back({"one-switch", late, Standing::Same, {}});
  report.alternatives.push_back({"no-switch", {}, Standing::OutOfTime, {}});
  const std::string text = plan_text(report, Ink::none());
  EXPECT_TRUE(contains(text, "pact              –        –")) << text;
  EXPECT_TRUE(contains(text, "the last resort ends")) << text;
  EXPECT_FALSE(contains(text, "pact: a last resort")) << text;
  EXPECT_TRUE(contains(text, "one-switch: on a coarser grid")) << text;
  EXPECT_TRUE(contains(text, "the time was up")) << text;
}

TEST(PlanText, TellsWhereAnotherStageWouldHaveCostLess) {
  const ExamplePlan example;
  PlanReport report = example.report();
  const Joules total = report.result.plan->end().energy;
  StageReason reason;
  reason.stage = report.result.plan->stages().front();
  reason.never = Joules{0.5 * total.value};
  EXPECT_TRUE(contains(why(report, reason), "(−50 %)")) << why(report, reason);
  reason.never = total;
  EXPECT_TRUE(contains(why(report, reason), "(the same)")) << why(report, reason);
}

TEST(PlanText, FitsThePageWhateverTheNames) {
  ExamplePlan example;
  example.scenario.models[1].name = std::string(200, 'x');
  example.scenario.node_sets[0].name =
      "金属金属金属金属金属金属金属金属金属金属金属金属金属金属金属";
  PlanReport report = example.report();
  report.alternatives.push_back({"pact", report.result, Standing::Same, {}});
  report.notes = {std::string(150, 'z')};
  std::istringstream lines(plan_text(report, Ink::none()));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(display_width(line), kPageWidth) << line;
}

TEST(FrontierText, ThinsLongTablesAndSaysSo) {
  const ExamplePlan example;
  FrontierReport report{example.planned(), Estimator::Expected, {}, {}, 0};
  for (int i = 0; i < 200; ++i)
    report.frontier.points.push_back({5.0 + i, *example.report().result.plan, 0});
  const std::string text = frontier_text(report, Ink::none());
  EXPECT_TRUE(contains(text, "25 of 200 points shown")) << text;
  EXPECT_TRUE(contains(text, "3 min 24 s")) << text;
  EXPECT_EQ(data_of(frontier_document(report))["points"].size(), 200U);
}

}  // namespace
}  // namespace espalier
