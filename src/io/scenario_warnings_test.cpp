// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/diagnostic_texts.h"
#include "io/scenario_file.h"

namespace espalier {
namespace {

struct Warned {
  const char* name;
  std::vector<Setting> settings;
  std::vector<std::string> messages;
};

std::string warned_name_of(const testing::TestParamInfo<Warned>& info) { return info.param.name; }

class ScenarioWarnings : public testing::TestWithParam<Warned> {};

constexpr const char* kFactory = R"(espalier: 1
goal: {loss: 0.15, deadline: 1000}
start: {model: L, nodes: gold, loss: 2.3}
models:
  L: {}
  M: {from: L}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.1, floor: 0.02}}
  - {model: M, nodes: silver, time: 1, energy: 1, learn: {rate: 0.1, floor: 0.05}}
change:
  models: [{from: L, to: M, jump: 0.3}]
  nodes: [{from: gold, to: silver}]
)";

TEST_P(ScenarioWarnings, LeaveTheScenarioUsable) {
  const ScenarioReading reading = read_scenario(kFactory, "f.yaml", GetParam().settings);
  EXPECT_EQ(texts(reading), GetParam().messages);
  EXPECT_TRUE(reading.scenario.has_value());
  for (const Diagnostic& d : reading.diagnostics) {
    EXPECT_EQ(d.severity, Diagnostic::Severity::Warning);
    EXPECT_NE(d.hint, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ScenarioWarnings,
    testing::Values(
        Warned{"None", {}, {}},
        Warned{"UnusedModel",
               {{"models.S", "{from: M}"}},
               {"--set models.S: models.S is in no row of run"}},
        Warned{"UnusedNodeSet",
               {{"nodes.bronze", "{}"}},
               {"--set nodes.bronze: nodes.bronze is in no row of run"}},
        Warned{"GoalBelowFloors",
               {{"run[0].learn.floor", "0.2"}, {"run[1].learn.floor", "0.3"}},
               {"f.yaml:2: goal.loss is 0.15, below the floor of every row of run"}},
        Warned{"GoalBelowFloorsButAJumpHelps",
               {{"run[0].learn.floor", "0.2"},
                {"run[1].learn.floor", "0.3"},
                {"change.models[0].jump", "{scale: 0.5}"}},
               {}},
        Warned{"NoTrainingNeeded",
               {{"goal.loss", "2.5"}},
               {"f.yaml:3: start.loss is 2.3, which already meets goal.loss 2.5"}},
        Warned{"HopefulRule",
               {{"run[1].learn.robust", "{rate: 0.2, floor: 0.05}"}},
               {"--set run[1].learn.robust: run[1].learn.robust is more hopeful than the expected "
                "rule for some losses"}},
        Warned{"CautiousRule", {{"run[1].learn.robust", "{rate: 0.05, floor: 0.05}"}}, {}},
        Warned{"HopefulJump",
               {{"change.models[0].jump_robust", "0.2"}},
               {"--set change.models[0].jump_robust: change.models[0].jump_robust is more hopeful "
                "than jump for some losses"}},
        Warned{"Unreachable",
               {{"change.nodes", "[]"}},
               {"f.yaml:10: run[1] is never used: no changes lead from L on gold to M on silver"}},
        Warned{"ReachableByPair",
               {{"change.nodes", "[]"},
                {"change.pairs",
                 "[{from: {model: L, nodes: gold}, to: {model: M, nodes: silver}, "
                 "time: 0, energy: 0}]"}},
               {}},
        Warned{"LineageWithoutSwitch",
               {{"change.models", "[]"}},
               {"f.yaml:6: models.M.from is L, but change has no switch from L to M"}},
        Warned{"NoLineageNoSwitch",
               {{"change.models", "[]"}, {"models.M", "{}"}},
               {"f.yaml:10: run[1] is never used: no changes lead from L on gold to M on silver"}}),
    warned_name_of);

}  // namespace
}  // namespace espalier
