// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "render/example_plan.h"
#include "render/graph_drawing.h"
#include "render/plan_drawing.h"
#include "render/svg.h"
#include "support/text.h"

namespace espalier {
namespace {

TEST(XmlEscaped, LeavesNoMarkup) {
  EXPECT_EQ(xml_escaped("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  EXPECT_EQ(xml_escaped("a\x01"), "a?");
}

TEST(DotQuoted, EndsWhereItShould) { EXPECT_EQ(dot_quoted("a\"b\\c\n"), "\"a\\\"b\\\\c?\""); }

TEST(Ticks, AreRoundNumbers) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(3, 3, 5), (std::vector<double>{3}));
}

TEST(PlanSvg, ShowsStagesTargetAndDeadline) {
  const ExamplePlan example;
  const PlanReport report = example.report();
  const std::string svg = plan_svg(report.planned, report.result);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(contains(svg, "target 0.2"));
  EXPECT_TRUE(contains(svg, "deadline 5 s"));
  EXPECT_TRUE(contains(svg, "S&amp;S on gold"));
  EXPECT_FALSE(contains(svg, "<b>"));
  EXPECT_FALSE(contains(svg, "nan"));
}

TEST(PlanDot, HasABoxPerStage) {
  const ExamplePlan example;
  const PlanReport report = example.report();
  const std::string dot = plan_dot(report.planned, report.result);
  EXPECT_TRUE(contains(dot, "stage1 -> stage2"));
  EXPECT_FALSE(contains(dot, "stage3"));
}

TEST(StateGraph, MergesEqualStatesAndMarksThePlan) {
  const ExamplePlan example;
  const PlanReport report = example.report();
  const StateGraph graph = explore(example.problem, Estimator::Expected, &*report.result.plan, {});
  std::size_t chosen = 0;
  for (const GraphArc& arc : graph.arcs) chosen += arc.chosen ? 1 : 0;
  EXPECT_EQ(chosen, 3U);
  for (const GraphArc& arc : graph.arcs) EXPECT_FALSE(graph.states[arc.from].goal);
  EXPECT_TRUE(contains(graph_svg(report.planned, graph), "class=\"chosen\""));
  EXPECT_TRUE(contains(graph_dot(report.planned, graph), "penwidth=3"));
}

TEST(StateGraph, RoundsUpWhereAskedTo) {
  const ExamplePlan example;
  const StateGraph graph =
      explore(example.problem, Estimator::Expected, nullptr, {.loss_step = Loss{0.25}});
  for (const GraphState& node : graph.states) {
    const double steps = node.state.loss.value / 0.25;
    EXPECT_NEAR(steps, std::round(steps), 1e-9);
  }
}

TEST(StateGraph, RefusesWhatNobodyCouldRead) {
  const ExamplePlan example;
  EXPECT_THROW(explore(example.problem, Estimator::Expected, nullptr, {.max_states = 3}), Error);
}

}  // namespace
}  // namespace espalier
