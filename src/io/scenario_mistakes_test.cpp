// SPDX-License-Identifier: Apache-2.0
// One mistake, one message: each case changes one thing in a sound scenario.
#include <gtest/gtest.h>

#include "io/diagnostic_texts.h"
#include "io/scenario_file.h"

namespace espalier {
namespace {

constexpr const char* kSoundScenario = R"(espalier: 1
name: factory
goal: {loss: 0.15, deadline: 1000}
start: {model: L, nodes: gold, loss: 2.3}
models:
  L: {}
  M: {from: L, prune: 0.5}
nodes: {gold: {}, silver: {}}
levels: {gold: {full: {}, eco: {time: 1.6, energy: 0.7}}}
data: {gold: {all: {}, half: {rate: 0.6, floor_add: 0.01, once: 3 kJ}}}
run:
  - {model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.08, floor: 0.02, power: 1.4}}
  - {model: M, nodes: silver, time: 0.8, energy: 0.5, learn: {curve: [2.3, 1.1, 0.1]}}
change:
  models:
    - {from: L, to: M, time: 0.5, energy: 0.2, jump: 0.3, jump_noise: 0.1}
  nodes:
    - {from: gold, to: silver, time: 0.2, energy: 0.1}
)";

struct Mistake {
  const char* name;
  std::string old_text;
  std::string new_text;
  std::vector<std::string> messages;  // exactly these
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

std::string with(const Mistake& mistake) {
  std::string text = kSoundScenario;
  const std::size_t at = text.find(mistake.old_text);
  EXPECT_NE(at, std::string::npos) << mistake.old_text;
  return text.replace(at, mistake.old_text.size(), mistake.new_text);
}

class ScenarioMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ScenarioMistakes, GiveExactlyTheseMessages) {
  const ScenarioReading reading = read_scenario(with(GetParam()), "f.yaml");
  EXPECT_EQ(texts(reading.diagnostics), GetParam().messages);
  EXPECT_FALSE(reading.scenario.has_value());
  for (const Diagnostic& d : reading.diagnostics) {
    EXPECT_EQ(d.severity, Diagnostic::Severity::Error);
    EXPECT_NE(d.hint, "") << d.text();
  }
}

std::string name_of(const testing::TestParamInfo<Mistake>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Keys, ScenarioMistakes,
    testing::Values(
        Mistake{"UnknownKey",
                "deadline: 1000",
                "deadline: 1000, colour: red",
                {"f.yaml:3: goal.colour is not a known key"}},
        Mistake{"MisspeltRequiredKey",
                "energy: 0.5, learn",
                "enregy: 0.5, learn",
                {"f.yaml:13: run[1].enregy is not a known key; did you mean 'energy'?"}},
        Mistake{"MisspeltSection",
                "goal: {",
                "gaol: {",
                {"f.yaml:3: gaol is not a known key; did you mean 'goal'?"}},
        Mistake{"MisspeltRule",
                "{rate: 0.08,",
                "{raet: 0.08,",
                {"f.yaml:12: run[0].learn.raet is not a known key; did you mean 'rate'?"}},
        Mistake{"KeyInAnotherCase",
                "goal: {loss",
                "goal: {Loss",
                {"f.yaml:3: goal.Loss is not a known key; did you mean 'loss'?"}},
        Mistake{"KeyOfANodeSet",
                "gold: {}, silver",
                "gold: {gpu: 2}, silver",
                {"f.yaml:8: nodes.gold.gpu is not a known key"}},
        Mistake{"MissingKey", "goal: {loss: 0.15, ", "goal: {", {"f.yaml:3: goal.loss is missing"}},
        Mistake{"MissingStart",
                "start: {model: L, nodes: gold, loss: 2.3}\n",
                "",
                {"f.yaml:1: start is missing"}},
        Mistake{"MissingRunTime",
                "time: 1, energy: 1",
                "energy: 1",
                {"f.yaml:12: run[0].time is missing"}},
        Mistake{"MissingModels",
                "models:\n  L: {}\n  M: {from: L, prune: 0.5}\n",
                "",
                {"f.yaml:1: models is missing"}},
        Mistake{"RepeatedKey",
                "loss: 0.15,",
                "loss: 0.15, loss: 0.2,",
                {"f.yaml:3: goal.loss is written twice; the first is in line 3"}},
        Mistake{"RepeatedSection",
                "nodes: {gold: {}, silver: {}}",
                "nodes: {gold: {}, silver: {}}\ngoal: {loss: 0.2, deadline: 5}",
                {"f.yaml:9: goal is written twice; the first is in line 3"}},
        Mistake{"NoVersion", "espalier: 1\n", "", {"f.yaml:1: espalier is missing"}},
        Mistake{"OtherVersion",
                "espalier: 1",
                "espalier: 2",
                {"f.yaml:1: espalier is '2'; this program reads version 1"}},
        Mistake{"ListForMap",
                "goal: {loss: 0.15, deadline: 1000}",
                "goal: [0.15, 1000]",
                {"f.yaml:3: goal is a list; it must be a map"}},
        Mistake{"EmptyMap",
                "goal: {loss: 0.15, deadline: 1000}",
                "goal:",
                {"f.yaml:3: goal is empty; it must be a map"}},
        Mistake{"MapForList",
                "  models:\n    - {",
                "  models:\n    {",
                {"f.yaml:15: change.models is a map; it must be a list"}},
        Mistake{"RowThatIsNoMap",
                "    - {from: gold, to: silver, time: 0.2, energy: 0.1}",
                "    - gold",
                {"f.yaml:18: change.nodes[0] is a single value; it must be a map"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Numbers, ScenarioMistakes,
    testing::Values(
        Mistake{"NegativeEnergy",
                "energy: 0.5, learn",
                "energy: -3, learn",
                {"f.yaml:13: run[1].energy is -3 J; it must be ≥ 0"}},
        Mistake{"NegativeEnergyWithUnit",
                "energy: 0.5, learn",
                "energy: -3 kJ, learn",
                {"f.yaml:13: run[1].energy is -3 kJ; it must be ≥ 0"}},
        Mistake{"ZeroTime",
                "time: 1, energy: 1",
                "time: 0, energy: 1",
                {"f.yaml:12: run[0].time is 0 s; it must be > 0"}},
        Mistake{"NegativeChange",
                "time: 0.2, energy: 0.1",
                "time: -0.2, energy: 0.1",
                {"f.yaml:18: change.nodes[0].time is -0.2 s; it must be ≥ 0"}},
        Mistake{"NotANumber",
                "loss: 0.15",
                "loss: .nan",
                {"f.yaml:3: goal.loss is .nan; it must be a finite number"}},
        Mistake{"Infinite",
                "deadline: 1000",
                "deadline: .inf",
                {"f.yaml:3: goal.deadline is .inf; it must be a finite number"}},
        Mistake{"TooLarge",
                "deadline: 1000",
                "deadline: 1e309",
                {"f.yaml:3: goal.deadline is 1e309; that is too large for a number"}},
        Mistake{"MissingUnit",
                "deadline: 1000",
                "deadline: \"1000\"",
                {"f.yaml:3: goal.deadline is the string \"1000\", which has no unit"}},
        Mistake{"UnknownUnit",
                "deadline: 1000",
                "deadline: 3 parsecs",
                {"f.yaml:3: goal.deadline is 3 parsecs; 'parsecs' is not a unit of time"}},
        Mistake{"WrongDimension",
                "once: 3 kJ",
                "once: 2 h",
                {"f.yaml:10: data.gold.half.once is 2 h, a time; it must be an energy"}},
        Mistake{"QuotedNumber",
                "loss: 0.15",
                "loss: '0.15'",
                {"f.yaml:3: goal.loss is the string \"0.15\"; it must be a number"}},
        Mistake{"EmptyNumber",
                "{loss: 0.15, deadline: 1000}",
                "{loss: , deadline: 1000}",
                {"f.yaml:3: goal.loss is empty; it must be a number"}},
        Mistake{"ListForNumber",
                "loss: 0.15",
                "loss: [0.15]",
                {"f.yaml:3: goal.loss is a list; it must be a number"}},
        Mistake{"ZeroGoal", "loss: 0.15", "loss: 0", {"f.yaml:3: goal.loss is 0; it must be > 0"}},
        Mistake{
            "ZeroStart", "loss: 2.3}", "loss: 0}", {"f.yaml:4: start.loss is 0; it must be > 0"}},
        Mistake{"ProbabilityZero",
                "deadline: 1000",
                "deadline: 1000, probability: 0",
                {"f.yaml:3: goal.probability is 0; it must be > 0 and < 1"}},
        Mistake{"ProbabilityOne",
                "deadline: 1000",
                "deadline: 1000, probability: 1",
                {"f.yaml:3: goal.probability is 1; it must be > 0 and < 1"}},
        Mistake{"ProbabilityAboveOne",
                "deadline: 1000",
                "deadline: 1000, probability: 95",
                {"f.yaml:3: goal.probability is 95; it must be > 0 and < 1"}},
        Mistake{"PruneAll",
                "prune: 0.5",
                "prune: 1",
                {"f.yaml:7: models.M.prune is 1; it must be ≥ 0 and < 1"}},
        Mistake{"ZeroLevel",
                "time: 1.6",
                "time: 0",
                {"f.yaml:9: levels.gold.eco.time is 0; it must be > 0"}},
        Mistake{"NegativeNoise",
                "jump_noise: 0.1",
                "jump_noise: -0.1",
                {"f.yaml:16: change.models[0].jump_noise is -0.1; it must be ≥ 0"}},
        Mistake{"ZeroScale",
                "jump: 0.3",
                "jump: {add: 0.3, scale: 0}",
                {"f.yaml:16: change.models[0].jump.scale is 0; it must be > 0"}},
        Mistake{"WordForJump",
                "jump: 0.3",
                "jump: high",
                {"f.yaml:16: change.models[0].jump is 'high'; it must be a number"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Names, ScenarioMistakes,
    testing::Values(
        Mistake{"UnknownModel",
                "to: M, time",
                "to: N, time",
                {"f.yaml:16: change.models[0].to is 'N', which is not in models"}},
        Mistake{
            "MisspeltNodeSet",
            "model: M, nodes: silver",
            "model: M, nodes: slver",
            {"f.yaml:13: run[1].nodes is 'slver', which is not in nodes; did you mean 'silver'?"}},
        Mistake{"UnknownParent",
                "from: L, prune",
                "from: XL, prune",
                {"f.yaml:7: models.M.from is 'XL', which is not in models"}},
        Mistake{"UnknownStart",
                "start: {model: L",
                "start: {model: l",
                {"f.yaml:4: start.model is 'l', which is not in models; did you mean 'L'?"}},
        Mistake{"LevelsOfUnknownNodeSet",
                "levels: {gold",
                "levels: {golf",
                {"f.yaml:9: levels.golf is not in nodes; did you mean 'gold'?"}},
        Mistake{"ListForName",
                "model: M, nodes: silver",
                "model: [M], nodes: silver",
                {"f.yaml:13: run[1].model is a list; it must be a name from models"}},
        Mistake{"BadName",
                "nodes: {gold: {}, silver: {}}",
                "nodes: {gold: {}, silver: {}, 'bro nze': {}}",
                {"f.yaml:8: nodes.bro nze is not a name"}},
        Mistake{"BadScenarioName",
                "name: factory",
                "name: my/factory",
                {"f.yaml:2: name is 'my/factory', which is not a name"}},
        Mistake{"RepeatedName",
                "nodes: {gold: {}, silver: {}}",
                "nodes: {gold: {}, silver: {}, gold: {}}",
                {"f.yaml:8: nodes.gold is written twice; the first is in line 8"}},
        Mistake{"NoNodeSets",
                "nodes: {gold: {}, silver: {}}",
                "nodes: {}",
                {"f.yaml:8: nodes is empty"}},
        Mistake{"NodeSetsAsList",
                "nodes: {gold: {}, silver: {}}",
                "nodes: [gold, silver]",
                {"f.yaml:8: nodes is a list; it must be a map of names"}},
        Mistake{"Cycle",
                "  L: {}",
                "  L: {from: M}",
                {"f.yaml:6: models.L.from closes a cycle: L → M → L"}},
        Mistake{"OwnParent",
                "from: L, prune: 0.5",
                "from: M, prune: 0.5",
                {"f.yaml:7: models.M.from closes a cycle: M → M"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Rows, ScenarioMistakes,
    testing::Values(
        Mistake{"SamePlacementTwice",
                "model: M, nodes: silver",
                "model: L, nodes: gold",
                {"f.yaml:13: run[1] repeats run[0] in line 12"}},
        Mistake{"NoRuns",
                "run:\n  - {model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.08, floor: "
                "0.02, power: 1.4}}\n  - {model: M, nodes: silver, time: 0.8, energy: 0.5, learn: "
                "{curve: [2.3, 1.1, 0.1]}}\n",
                "run: []\n",
                {"f.yaml:11: run is empty"}},
        Mistake{"SameSwitchTwice",
                "    - {from: L, to: M, ",
                "    - {from: L, to: M, jump: 1}\n    - {from: L, to: M, ",
                {"f.yaml:17: change.models[1] repeats change.models[0] in line 16"}},
        Mistake{"SwitchToItself",
                "{from: L, to: M, time",
                "{from: L, to: L, time",
                {"f.yaml:16: change.models[0] goes from a place to itself"}},
        Mistake{"HandOverToItself",
                "from: gold, to: silver",
                "from: gold, to: gold",
                {"f.yaml:18: change.nodes[0] goes from a place to itself"}},
        Mistake{"WordForNodes",
                "  nodes:\n    - {from: gold, to: silver, time: 0.2, energy: 0.1}",
                "  nodes: all",
                {"f.yaml:17: change.nodes is 'all'; it must be any, or a list"}},
        Mistake{"PairWithoutTime",
                "change:\n",
                "change:\n  pairs: [{from: {model: L, nodes: gold}, to: {model: M, nodes: silver}, "
                "energy: 1}]\n",
                {"f.yaml:15: change.pairs[0].time is missing"}},
        Mistake{"PairToItself",
                "change:\n",
                "change:\n  pairs: [{from: {model: L, nodes: gold}, to: {model: L, nodes: gold}, "
                "time: 1, energy: 1}]\n",
                {"f.yaml:15: change.pairs[0] goes from a place to itself"}},
        Mistake{"PairNoiseWithoutJump",
                "change:\n",
                "change:\n  pairs: [{from: {model: L, nodes: gold}, to: {model: M, nodes: silver}, "
                "time: 1, energy: 1, jump_noise: 0.1}]\n",
                {"f.yaml:15: change.pairs[0].jump_noise has no jump that it goes with"}},
        Mistake{"PairOfUnknownNodes",
                "change:\n",
                "change:\n  pairs: [{from: {model: L, nodes: god}, to: {model: M, nodes: silver}, "
                "time: 1, energy: 1}]\n",
                {"f.yaml:15: change.pairs[0].from.nodes is 'god', which is not in nodes; "
                 "did you mean 'gold'?"}},
        Mistake{"TruthAboutNoRun",
                "change:\n",
                "truth: {run: [{model: L, nodes: silver, learn: {rate: 0.1}}]}\nchange:\n",
                {"f.yaml:14: truth.run[0] is about L on silver, which run does not have"}},
        Mistake{"TruthAboutNoSwitch",
                "change:\n",
                "truth: {models: [{from: M, to: L, jump: 0.1}]}\nchange:\n",
                {"f.yaml:14: truth.models[0] is about a switch from M to L, which change does not "
                 "have"}},
        Mistake{
            "TruthTwice",
            "change:\n",
            "truth: {models: [{from: L, to: M, jump: 1}, {from: L, to: M, jump: 2}]}\nchange:\n",
            {"f.yaml:14: truth.models[1] repeats truth.models[0] in line 14"}},
        Mistake{"RobustTruth",
                "change:\n",
                "truth: {run: [{model: L, nodes: gold, learn: {rate: 0.1, robust: {rate: "
                "0.1}}}]}\nchange:\n",
                {"f.yaml:14: truth.run[0].learn.robust is an estimate; the truth is one rule"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Rules, ScenarioMistakes,
    testing::Values(
        Mistake{"NoRule",
                "learn: {curve: [2.3, 1.1, 0.1]}",
                "learn: {}",
                {"f.yaml:13: run[1].learn gives no rule"}},
        Mistake{"EmptyLearn",
                "learn: {curve: [2.3, 1.1, 0.1]}",
                "learn: ",
                {"f.yaml:13: run[1].learn gives no rule"}},
        Mistake{"FloorAlone",
                "learn: {curve: [2.3, 1.1, 0.1]}",
                "learn: {floor: 0.1}",
                {"f.yaml:13: run[1].learn.rate is missing"}},
        Mistake{"TwoRules",
                "{curve: [2.3, 1.1, 0.1]}",
                "{rate: 0.1, curve: [2.3, 1.1, 0.1]}",
                {"f.yaml:13: run[1].learn gives both rate and curve"}},
        Mistake{"FloorOfACurve",
                "{curve: [2.3, 1.1, 0.1]}",
                "{floor: 0.1, curve: [2.3, 1.1, 0.1]}",
                {"f.yaml:13: run[1].learn.floor goes with rate, not with curve"}},
        Mistake{"NegativeRate",
                "rate: 0.08",
                "rate: -0.08",
                {"f.yaml:12: run[0].learn.rate is -0.08; it must be ≥ 0"}},
        Mistake{"NegativeFloor",
                "floor: 0.02",
                "floor: -0.02",
                {"f.yaml:12: run[0].learn.floor is -0.02; it must be ≥ 0"}},
        Mistake{"RisingCurve",
                "[2.3, 1.1, 0.1]",
                "[2.3, 1.1, 1.1]",
                {"f.yaml:13: run[1].learn.curve[2] is 1.1, after 1.1; a curve must fall from point "
                 "to point"}},
        Mistake{"CurveOfOnePoint",
                "[2.3, 1.1, 0.1]",
                "[2.3]",
                {"f.yaml:13: run[1].learn.curve has one point; a curve needs two or more"}},
        Mistake{"EmptyCurve", "[2.3, 1.1, 0.1]", "[]", {"f.yaml:13: run[1].learn.curve is empty"}},
        Mistake{"CurveBelowZero",
                "[2.3, 1.1, 0.1]",
                "[2.3, 1.1, -0.1]",
                {"f.yaml:13: run[1].learn.curve[2] is -0.1; it must be ≥ 0"}},
        Mistake{"CurveOfWords",
                "[2.3, 1.1, 0.1]",
                "[2.3, low]",
                {"f.yaml:13: run[1].learn.curve[1] is 'low'; it must be a number"}},
        Mistake{"NumberForSteps",
                "curve: [2.3, 1.1, 0.1]",
                "steps: -0.1",
                {"f.yaml:13: run[1].learn.steps is a single value; it must be a list"}},
        Mistake{"NegativeSpread",
                "power: 1.4",
                "power: 1.4, noise: {run: -1}",
                {"f.yaml:12: run[0].learn.noise.run is -1; it must be ≥ 0"}},
        Mistake{"FileInRobust",
                "power: 1.4",
                "power: 1.4, robust: {traces: x.csv}",
                {"f.yaml:12: run[0].learn.robust.traces is not a known key"}},
        Mistake{"EmptyFileName",
                "curve: [2.3, 1.1, 0.1]",
                "traces: ''",
                {"f.yaml:13: run[1].learn.traces is ''; it must be the name of a file"}},
        Mistake{
            "FloorAddOnSteps",
            "rate: 0.08, floor: 0.02, power: 1.4",
            "steps: [-0.1]",
            {"f.yaml:10: data.gold.half.floor_add adds to a floor, but run[0].learn is given as "
             "steps, which have none"}},
        Mistake{"BoundlessJump",
                "jump: 0.3",
                "jump: {scale: 1e308}",
                {"f.yaml:4: start.loss can be raised beyond any number by jumps and steps"}}),
    name_of);

struct Steep {
  const char* path;
  const char* old_text;
  const char* before_rate;  // the new text is this, the rate, and what follows
  const char* after_rate;
};

class ScenarioSteepRules : public testing::TestWithParam<Steep> {};

TEST_P(ScenarioSteepRules, AreRefusedWithTheLargestRateThatWouldDo) {
  const auto read_with = [](const std::string& rate) {
    const auto& [path, old_text, before, after] = GetParam();
    return read_scenario(with({"", old_text, before + rate + after, {}}), "f.yaml");
  };
  const ScenarioReading refused = read_with("0.8");
  ASSERT_EQ(refused.diagnostics.size(), 1U);
  EXPECT_EQ(refused.diagnostics[0].key, GetParam().path);
  EXPECT_TRUE(refused.diagnostics[0].what.starts_with("is 0.8; above a loss of 0.7"));
  const std::string advice = "write at most ";
  const std::string hint = refused.diagnostics[0].hint;
  ASSERT_TRUE(hint.starts_with(advice)) << hint;
  const std::string allowed = hint.substr(advice.size());
  EXPECT_TRUE(read_with(allowed).scenario.has_value()) << allowed;
  EXPECT_FALSE(read_with(std::to_string(1.02 * std::stod(allowed))).scenario.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    All, ScenarioSteepRules,
    testing::Values(Steep{"run[0].learn.rate", "rate: 0.08", "rate: ", ""},
                    Steep{"run[0].learn.robust.rate", "rate: 0.08, floor: 0.02, power: 1.4",
                          "rate: 0.2, robust: {power: 1.4, rate: ", "}"},
                    Steep{"truth.run[0].learn.rate", "change:\n",
                          "truth: {run: [{model: L, nodes: gold, learn: {power: 1.4, rate: ",
                          "}}]}\nchange:\n"}));

TEST(ScenarioFile, BlamesTheDataOptionThatMakesACurveTooSteep) {
  const std::vector<Setting> settings{{"run[1].learn.curve", "[2.3, 0.3, 0.2, 0.1]"},
                                      {"data.silver.more.rate", "1.5"}};
  const ScenarioReading reading = read_scenario(kSoundScenario, "f.yaml", settings);
  ASSERT_EQ(reading.diagnostics.size(), 1U);
  EXPECT_EQ(reading.diagnostics[0].key, "data.silver.more.rate");
  EXPECT_EQ(reading.diagnostics[0].hint, "write at most 1");
}

TEST(ScenarioFile, ReportsAllMistakesSortedByLine) {
  std::string text = kSoundScenario;
  for (const auto& [good, bad] : std::vector<std::pair<std::string, std::string>>{
           {"jump: 0.3", "jump: x"}, {"prune: 0.5", "prune: 2"}, {"loss: 0.15", "loss: -1"}}) {
    text.replace(text.find(good), good.size(), bad);
  }
  EXPECT_EQ(
      texts(read_scenario(text, "f.yaml").diagnostics),
      (std::vector<std::string>{"f.yaml:3: goal.loss is -1; it must be > 0",
                                "f.yaml:7: models.M.prune is 2; it must be ≥ 0 and < 1",
                                "f.yaml:16: change.models[0].jump is 'x'; it must be a number"}));
}

TEST(ScenarioFile, TellsOfEstimatesAndOfTheTruthAtOnce) {
  const std::vector<Setting> settings{
      {"run[0].learn.rate", "8"}, {"truth.run", "[{model: M, nodes: gold, learn: {rate: 0.1}}]"}};
  const ScenarioReading reading = read_scenario(kSoundScenario, "f.yaml", settings);
  ASSERT_EQ(reading.diagnostics.size(), 2U);
  EXPECT_EQ(reading.diagnostics[0].key, "truth.run[0]");
  EXPECT_EQ(reading.diagnostics[1].key, "run[0].learn.rate");
}

TEST(ScenarioFile, CutsAnEndlessListOfMistakes) {
  std::string text = kSoundScenario;
  for (int i = 0; i < 500; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const auto diagnostics = read_scenario(text, "f.yaml").diagnostics;
  ASSERT_EQ(diagnostics.size(), 101U);
  EXPECT_EQ(diagnostics.back().text(), "f.yaml: has 400 more problems");
}

}  // namespace
}  // namespace espalier
