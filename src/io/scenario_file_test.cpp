// SPDX-License-Identifier: Apache-2.0
#include "io/scenario_file.h"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "io/diagnostic_texts.h"
#include "io/scenario_writer.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

// Everything that a scenario can say.
constexpr const char* kFull = R"(espalier: 1
name: everything
goal: {loss: 0.15, deadline: 2 h, probability: 0.9}
start: {model: L, nodes: gold, loss: 2.3}
models:
  L:
  M: {from: L, prune: 0.5}
  v1.2: {from: M, prune: 0.75}
nodes:
  gold:
  silver: {}
levels:
  gold: {full: {}, eco: {time: 1.6, energy: 0.7}}
data:
  silver:
    all:
    half: {time: 0.5, energy: 0.25, rate: 0.6, floor_add: 0.01, once: 3 kJ}
run:
  - {model: L, nodes: gold, time: 250 ms, energy: 2 Wh,
     learn: {rate: 0.08, floor: 0.02, power: 1.4, noise: {run: 0.25, epoch: 0.3}}}
  - {model: M, nodes: gold, time: 1, energy: 0, learn: {steps: [-0.5, 0.1], robust: {steps: [-0.2, 0.2]}}}
  - {model: M, nodes: silver, time: 1 min, energy: 1 kWh,
     learn: {curve: [2.3, 1.1, 0.1], robust: {rate: 0.01, floor: 0.1}}}
  - {model: v1.2, nodes: silver, time: 1, energy: 1, learn: {traces: 'a b/traces.csv'}}
  - {model: v1.2, nodes: gold, time: 1, energy: 1, learn: {fitted: nets/e.json, noise: {epoch: 0.1}}}
change:
  models:
    - {from: L, to: M, time: 0.5, energy: 0.2, jump: 0.3, jump_noise: 0.2, jump_robust: {add: 0.5, scale: 1.1}}
    - {from: M, to: v1.2, jump: {scale: 1.2}}
  nodes:
    - {from: gold, to: silver, time: 0.2}
    - {from: silver, to: gold, energy: 1 mJ}
  pairs:
    - {from: {model: L, nodes: gold}, to: {model: M, nodes: silver}, time: 1, energy: 2, jump: 0.1}
    - {from: {model: M, nodes: gold}, to: {model: M, nodes: silver}, time: 3, energy: 4}
truth:
  run:
    - {model: L, nodes: gold, learn: {rate: 0.05}}
  models:
    - {from: L, to: M, jump: 0.6, jump_noise: 0.1}
)";

constexpr const char* kShort = R"(espalier: 1
goal: {loss: 0.5, deadline: 10}
start: {model: L, nodes: gold, loss: 2}
models: {L: {}}
nodes: {gold: {}}
run: [{model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.5}}]
)";

Scenario sound(std::string_view text, std::span<const Setting> settings = {}) {
  const ScenarioReading reading = read_scenario(text, "dir/f.yaml", settings);
  EXPECT_EQ(texts(reading), std::vector<std::string>{});
  return reading.scenario.value_or(Scenario{});
}

TEST(ScenarioFile, ReadsNamesGoalAndStart) {
  const Scenario s = sound(kFull);
  EXPECT_EQ(s.name, "everything");
  EXPECT_EQ(s.goal.deadline.value, 7200);
  EXPECT_EQ(s.goal.probability, 0.9);
  EXPECT_EQ(s.start.loss.value, 2.3);
  ASSERT_EQ(s.models.size(), 3U);
  EXPECT_EQ(s.models[2].name, "v1.2");
  EXPECT_EQ(s.models[2].from, ModelId{1});
  EXPECT_EQ(s.models[2].prune, 0.75);
  EXPECT_FALSE(s.models[0].from.has_value());
}

TEST(ScenarioFile, ReadsLevelsAndDataOptions) {
  const Scenario s = sound(kFull);
  ASSERT_EQ(s.node_sets.size(), 2U);
  ASSERT_EQ(s.node_sets[0].levels.size(), 2U);
  EXPECT_EQ(s.node_sets[0].levels[0].time, 1);
  EXPECT_EQ(s.node_sets[0].levels[1].energy, 0.7);
  EXPECT_TRUE(s.node_sets[0].data_options.empty());
  const DataOptionSpec& half = s.node_sets[1].data_options.at(1);
  EXPECT_EQ(half.name, "half");
  EXPECT_EQ(half.energy, 0.25);
  EXPECT_EQ(half.floor_add, 0.01);
  EXPECT_EQ(half.once.value, 3000);
}

TEST(ScenarioFile, ReadsEveryKindOfRule) {
  const Scenario s = sound(kFull);
  ASSERT_EQ(s.runs.size(), 5U);
  EXPECT_EQ(s.runs[0].time.value, 0.25);
  EXPECT_EQ(s.runs[0].energy.value, 7200);
  EXPECT_EQ(s.runs[0].learn.noise, (NoiseSpec{0.25, 0.3}));
  EXPECT_EQ(std::get<RuleShape>(s.runs[0].learn.rule), RuleShape(PowerRule{0.08, 0.02, 1.4}));
  EXPECT_EQ(std::get<RuleShape>(s.runs[1].learn.rule), RuleShape(StepsRule{{-0.5, 0.1}}));
  EXPECT_EQ(s.runs[1].learn.robust, RuleShape(StepsRule{{-0.2, 0.2}}));
  EXPECT_EQ(std::get<RuleShape>(s.runs[2].learn.rule), RuleShape(CurveRule{{2.3, 1.1, 0.1}}));
  EXPECT_EQ(s.runs[2].learn.robust, RuleShape(PowerRule{0.01, 0.1, 1}));
  EXPECT_EQ(std::get<RuleFile>(s.runs[3].learn.rule).path, "a b/traces.csv");
  EXPECT_EQ(std::get<RuleFile>(s.runs[4].learn.rule).kind, RuleFile::Kind::Fitted);
}

TEST(ScenarioFile, ReadsChanges) {
  const Scenario s = sound(kFull);
  ASSERT_EQ(s.model_changes.size(), 2U);
  EXPECT_EQ(s.model_changes[0].jump.expected, (Jump{0.3, 1}));
  EXPECT_EQ(s.model_changes[0].jump.noise, 0.2);
  EXPECT_EQ(s.model_changes[0].jump.robust, (Jump{0.5, 1.1}));
  EXPECT_EQ(s.model_changes[1].time.value, 0);
  EXPECT_EQ(s.model_changes[1].jump.expected, (Jump{0, 1.2}));
  ASSERT_EQ(s.node_changes->size(), 2U);
  EXPECT_EQ((*s.node_changes)[1].energy.value, 1e-3);
  ASSERT_EQ(s.pair_changes.size(), 2U);
  EXPECT_EQ(s.pair_changes[0].jump->expected, (Jump{0.1, 1}));
  EXPECT_FALSE(s.pair_changes[1].jump.has_value());
}

TEST(ScenarioFile, ReadsTheTruth) {
  const Scenario s = sound(kFull);
  ASSERT_EQ(s.truth.runs.size(), 1U);
  EXPECT_EQ(std::get<RuleShape>(s.truth.runs[0].learn.rule), RuleShape(PowerRule{0.05, 0, 1}));
  ASSERT_EQ(s.truth.jumps.size(), 1U);
  EXPECT_EQ(s.truth.jumps[0].jump.expected.add, 0.6);
  EXPECT_EQ(s.truth.jumps[0].jump.noise, 0.1);
}

TEST(ScenarioFile, FillsInDefaults) {
  const Scenario s = sound(kShort);
  EXPECT_EQ(s.name, "f");
  EXPECT_EQ(s.goal.probability, 0.95);
  EXPECT_TRUE(s.model_changes.empty());
  EXPECT_FALSE(s.node_changes.has_value());
  EXPECT_FALSE(sound(std::string(kShort) + "change: {nodes: any}\n").node_changes.has_value());
  EXPECT_TRUE(sound(std::string(kShort) + "change: {nodes: []}\n").node_changes.has_value());
}

TEST(ScenarioFile, ReadsJson) {
  EXPECT_EQ(sound(R"({"espalier": 1, "goal": {"loss": 0.5, "deadline": "1 min"},
    "start": {"model": "L", "nodes": "gold", "loss": 2}, "models": {"L": {}}, "nodes": {"gold": {}},
    "run": [{"model": "L", "nodes": "gold", "time": 1, "energy": "1 kJ", "learn": {"rate": 0.5}}]})")
                .goal.deadline.value,
            60);
}

TEST(ScenarioFile, SurvivesTheRoundTrip) {
  const Scenario first = sound(kFull);
  const std::string text = to_yaml(first);
  const Scenario second = sound(text);
  EXPECT_EQ(to_yaml(second), text);
  EXPECT_EQ(second.models[2].name, first.models[2].name);
  EXPECT_EQ(second.runs[2].learn.robust, first.runs[2].learn.robust);
  EXPECT_EQ(second.model_changes[0].jump.robust, first.model_changes[0].jump.robust);
  EXPECT_EQ(std::get<RuleFile>(second.runs[3].learn.rule).path, "a b/traces.csv");
  EXPECT_EQ(second.node_sets[1].data_options[1].once, first.node_sets[1].data_options[1].once);
}

TEST(ScenarioFile, WritesNumbersToTheLastDigit) {
  Scenario s = sound(kShort);
  s.goal.loss.value = 0.1 + 0.2;
  s.runs[0].energy.value = 1e-300;
  s.models[0].name = "null";
  s.node_sets[0].name = "-";
  const Scenario again = sound(to_yaml(s));
  EXPECT_EQ(again.goal.loss.value, s.goal.loss.value);
  EXPECT_EQ(again.runs[0].energy.value, 1e-300);
  EXPECT_EQ(again.models[0].name, "null");
}

// --- files -------------------------------------------------------------------------------------

class ScenarioFiles : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) const {
    return place_.write("f.yaml", text);
  }
  static std::string sole_message(const std::filesystem::path& path) {
    const ScenarioReading reading = read_scenario_file(path);
    EXPECT_EQ(reading.diagnostics.size(), 1U);
    EXPECT_FALSE(reading.scenario.has_value());
    return reading.diagnostics.empty() ? "" : reading.diagnostics[0].text();
  }

  const TemporaryFolder place_;
  const std::filesystem::path folder_ = place_.path();
};

TEST_F(ScenarioFiles, AreRead) {
  EXPECT_EQ(load_scenario(write(kShort)).name, "f");
  EXPECT_EQ(load_scenario(write("\xEF\xBB\xBF" + std::string(kShort))).goal.loss.value, 0.5);
}

TEST_F(ScenarioFiles, MayHaveWindowsLines) {
  std::string text;
  for (const char c : std::string(kFull)) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(to_yaml(load_scenario(write(text))), to_yaml(sound(kFull)));
}

TEST_F(ScenarioFiles, ThatCannotBeReadAreRefused) {
  const std::string folder = folder_.string();
  EXPECT_EQ(sole_message(folder_ / "none.yaml"), folder + "/none.yaml: no such file");
  EXPECT_EQ(sole_message(folder_), folder + ": a directory, not a file");
  EXPECT_EQ(sole_message(write("")), folder + "/f.yaml: the file is empty");
  EXPECT_EQ(sole_message(write("# nothing\n")), folder + "/f.yaml: the file is empty");
  EXPECT_EQ(sole_message(write("- 1\n")), folder + "/f.yaml:1: not a map of keys");
  EXPECT_EQ(sole_message(write("hello")), folder + "/f.yaml:1: not a map of keys");
  EXPECT_EQ(sole_message(write("espalier: 1\nname: \xFF\n")),
            folder + "/f.yaml:2: bytes that are not UTF-8");
}

TEST_F(ScenarioFiles, OfHundredMegabytesAreRefusedUnread) {
  const auto path = write("");
  std::filesystem::resize_file(path, 100'000'000);
  EXPECT_EQ(sole_message(path), path.string() + ": larger than 4 MiB");
}

TEST_F(ScenarioFiles, ThatAreFifosDoNotBlock) {
  const auto path = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(sole_message(path), path.string() + ": not a regular file");
  EXPECT_EQ(sole_message("/dev/zero"), "/dev/zero: not a regular file");
}

TEST_F(ScenarioFiles, WithoutPermissionAreRefused) {
  const auto path = write(kShort);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool is_root = ::geteuid() == 0;  // who may read everything
  if (is_root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  EXPECT_EQ(sole_message(path), path.string() + ": not readable: Permission denied");
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
}

TEST_F(ScenarioFiles, ThatAreBadThrowWithACount) {
  const auto path = write("espalier: 1\ngoal: {loss: 0, deadline: 0}\n");
  try {
    load_scenario(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_EQ(std::string(error.what()),
              path.string() + ":1: models is missing (and 5 more; 'espalier check' lists them)");
    EXPECT_NE(error.hint(), "");
  }
}

TEST(ScenarioExamples, LoadWithoutErrorsAndWarnings) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("examples")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    const ScenarioReading reading = read_scenario_file(entry.path());
    EXPECT_EQ(texts(reading), std::vector<std::string>{});
    ASSERT_TRUE(reading.scenario.has_value()) << entry.path();
    EXPECT_EQ(to_yaml(sound(to_yaml(*reading.scenario))), to_yaml(*reading.scenario));
  }
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace espalier
