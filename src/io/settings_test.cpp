// SPDX-License-Identifier: Apache-2.0
#include "io/settings.h"

#include <gtest/gtest.h>

#include "io/diagnostic_texts.h"
#include "io/scenario_file.h"

namespace espalier {
namespace {

constexpr const char* kTwoNodeSets = R"(espalier: 1
goal: {loss: 0.15, deadline: 1000}
start: {model: L, nodes: gold, loss: 2.3}
models:
  L: {}
  v1.2: {from: L}
nodes: {gold: {}, silver: {}}
levels: {gold: {full: {}, eco: {time: 2}}}
run:
  - {model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.1, floor: 0.02}}
  - {model: v1.2, nodes: silver, time: 1, energy: 1, learn: {rate: 0.1, floor: 0.05}}
change:
  models: [{from: L, to: v1.2, jump: 0.3}]
  nodes: [{from: gold, to: silver}]
)";

TEST(ScenarioSettings, ReplaceAndAddValues) {
  const std::vector<Setting> settings{{"goal.loss", "0.2"},
                                      {"goal.deadline", "1 h"},
                                      {"goal.probability", "0.5"},
                                      {"run[0].learn.rate", "0.1"},
                                      {"run[1].learn", "{curve: [3, 1]}"},
                                      {"levels.gold.eco.time", "1.5"},
                                      {"levels.silver.fast.time", "0.5"},
                                      {"models.v1.2.prune", "0.8"},
                                      {"change.nodes", "any"},
                                      {"goal.loss", "0.3"}};
  const ScenarioReading reading = read_scenario(kTwoNodeSets, "f.yaml", settings);
  EXPECT_EQ(texts(reading), std::vector<std::string>{});
  ASSERT_TRUE(reading.scenario.has_value());
  const Scenario& s = *reading.scenario;
  EXPECT_EQ(s.goal.loss.value, 0.3);
  EXPECT_EQ(s.goal.deadline.value, 3600);
  EXPECT_EQ(s.goal.probability, 0.5);
  EXPECT_EQ(std::get<PowerRule>(std::get<RuleShape>(s.runs[0].learn.rule)).rate, 0.1);
  EXPECT_EQ(std::get<RuleShape>(s.runs[1].learn.rule), RuleShape(CurveRule{{3, 1}}));
  EXPECT_EQ(s.node_sets[0].levels[1].time, 1.5);
  EXPECT_EQ(s.node_sets[1].levels.at(0).name, "fast");
  EXPECT_EQ(s.models[1].prune, 0.8);
  EXPECT_FALSE(s.node_changes.has_value());
}

struct BadSetting {
  const char* key;
  const char* value;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const BadSetting& setting) {
  return out << setting.key;
}

class ScenarioBadSettings : public testing::TestWithParam<BadSetting> {};

TEST_P(ScenarioBadSettings, GiveExactlyOneMessage) {
  const std::vector<Setting> settings{{GetParam().key, GetParam().value}};
  const ScenarioReading reading = read_scenario(kTwoNodeSets, "f.yaml", settings);
  EXPECT_EQ(texts(reading), std::vector<std::string>{GetParam().message});
  EXPECT_NE(reading.diagnostics.at(0).hint, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, ScenarioBadSettings,
    testing::Values(
        BadSetting{"goal.los", "0.2",
                   "--set goal.los: goal.los is not a known key; did you mean 'loss'?"},
        BadSetting{"gaol.loss", "0.2",
                   "--set gaol.loss: gaol is not a known key; did you mean 'goal'?"},
        BadSetting{"goal.loss", "-1", "--set goal.loss: goal.loss is -1; it must be > 0"},
        BadSetting{"goal.loss", "", "--set goal.loss: goal.loss is empty; it must be a number"},
        BadSetting{"goal.loss", "[1",
                   "--set goal.loss: not valid YAML: end of sequence flow not found"},
        BadSetting{"run[3].time", "1",
                   "--set run[3].time: [3] is past the end of the list, which has 2 items"},
        BadSetting{"run.time", "1", "--set run.time: 'time' asks for a key of what is a list"},
        BadSetting{"goal.loss.x", "1",
                   "--set goal.loss.x: 'x' asks for a key of what is a single value"},
        BadSetting{"goal[0]", "1", "--set goal[0]: [0] asks for an item of what is not a list"},
        BadSetting{"foo[0]", "1", "--set foo[0]: [0] asks for an item of what is not a list"},
        BadSetting{"", "1", "--set : not a path"},
        BadSetting{"a..b", "1", "--set a..b: not a path"},
        BadSetting{"run[x]", "1", "--set run[x]: not a path"},
        BadSetting{"run[99999999999999999999]", "1", "--set run[99999999999999999999]: not a path"},
        BadSetting{"start.model", "S1",
                   "--set start.model: start.model is 'S1', which is not in models"},
        BadSetting{
            "levels.golf.eco.time", "1.5",
            "--set levels.golf.eco.time: levels.golf is not in nodes; did you mean 'gold'?"}));

}  // namespace
}  // namespace espalier
