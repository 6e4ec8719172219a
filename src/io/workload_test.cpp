// SPDX-License-Identifier: Apache-2.0
// The sections `training` and `collect`: what they hold, and what is refused.
#include <gtest/gtest.h>

#include "io/diagnostic_texts.h"
#include "io/scenario_file.h"
#include "io/scenario_writer.h"

namespace espalier {
namespace {

constexpr const char* kSoundWorkload = R"(espalier: 1
name: factory
goal: {loss: 0.15, deadline: 1000}
start: {model: L, nodes: gold, loss: 2.3}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
training:
  network: vgg11
  width: 0.25
  dataset: data/cifar 10
  learning_rate: 0.01
  schedule: cosine
  criterion: taylor
  nodes:
    silver: {samples: 5000, classes: 13, split: dirichlet, alpha: 0.3, device: a4000}
    gold: {samples: 45000, classes: 10, members: 5}
collect:
  seeds: [1, 9007199254740991]
  sequences: [[gold], [gold, silver], [gold, silver, gold]]
  switch_epochs: [5, 15]
  ratios: [[0.5, 0.75], [0.25]]
  last_epochs: 20
)";

Scenario sound_workload() {
  const ScenarioReading reading = read_scenario(kSoundWorkload, "f.yaml");
  EXPECT_EQ(texts(reading), std::vector<std::string>{});
  return reading.scenario.value_or(Scenario{});
}

TEST(Workload, MayShiftItsImages) {
  const auto with = [](const char* jitter) {
    const Setting settings[] = {{"training.jitter", jitter}};
    return read_scenario(kSoundWorkload, "f.yaml", settings);
  };
  EXPECT_EQ(with("4").scenario.value().training->jitter, 4);
  EXPECT_EQ(with("0").scenario.value().training->jitter, 0);
  EXPECT_FALSE(with("17").scenario.has_value());
  EXPECT_FALSE(with("-1").scenario.has_value());
}

TEST(Workload, IsReadWithItsDefaults) {
  const Scenario scenario = sound_workload();
  ASSERT_TRUE(scenario.training.has_value());
  const TrainingSpec& training = *scenario.training;
  EXPECT_EQ(training.network, "vgg11");
  EXPECT_EQ(training.dataset, "data/cifar 10");
  EXPECT_EQ(training.batch, 64);
  EXPECT_EQ(training.schedule, RateSchedule::Cosine);
  EXPECT_EQ(training.jitter, 0);
  EXPECT_EQ(training.criterion, PruningCriterion::Taylor);
  ASSERT_EQ(training.nodes.size(), 2U);
  EXPECT_EQ(training.nodes[0].samples, 45000) << "in the order of the scenario's node sets";
  EXPECT_EQ(training.nodes[0].split, SampleSplit::Iid);
  EXPECT_EQ(training.nodes[1].alpha, 0.3);
  EXPECT_EQ(training.nodes[1].device, "a4000");
  ASSERT_TRUE(scenario.collect.has_value());
  const CollectSpec& collect = *scenario.collect;
  EXPECT_EQ(collect.seeds[1], 9007199254740991U);
  EXPECT_EQ(collect.sequences[1], (std::vector<NodeSetId>{{0}, {1}}));
  EXPECT_EQ(collect.switch_epochs, (std::vector<std::vector<int>>{{5, 15}}));
  EXPECT_EQ(collect.ratios, (std::vector<std::vector<double>>{{0.5, 0.75}, {0.25}}));
}

std::string with_agents(const std::string& gold, const std::string& silver) {
  std::string text = kSoundWorkload;
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("device: a4000}", "device: a4000" + silver + "}");
  replace("classes: 10, members: 5}", "classes: 10" + gold + "}");
  return text;
}

TEST(Workload, NamesItsAgents) {
  const auto reading =
      read_scenario(with_agents(", agents: [hall-1, hall-2]", ", agents: [\"7\"]"), "f.yaml");
  EXPECT_EQ(texts(reading), std::vector<std::string>{});
  const TrainingSpec& training = *reading.scenario.value().training;
  EXPECT_EQ(training.nodes[0].agents, (std::vector<std::string>{"hall-1", "hall-2"}));
  EXPECT_EQ(training.nodes[0].members, 2);
  const auto again = read_scenario(to_yaml(*reading.scenario), "again.yaml");
  EXPECT_EQ(again.scenario.value().training->nodes, training.nodes);
}

TEST(Workload, RefusesAgentsThatCannotBeToldApart) {
  const auto is_refused = [](const std::string& gold, const std::string& silver) {
    return !read_scenario(with_agents(gold, silver), "f.yaml").scenario.has_value();
  };
  EXPECT_FALSE(is_refused(", agents: [a]", ", agents: [b]"));
  EXPECT_TRUE(is_refused(", agents: [a, a]", ", agents: [b]"));
  EXPECT_TRUE(is_refused(", agents: [a]", ", agents: [a]"));
  EXPECT_TRUE(is_refused(", agents: [a]", ""));
  EXPECT_TRUE(is_refused(", agents: [..]", ", agents: [b]"));
  EXPECT_TRUE(is_refused(", agents: [a/b]", ", agents: [b]"));
  EXPECT_TRUE(is_refused(", agents: []", ", agents: [b]"));
  EXPECT_TRUE(is_refused(", agents: [a], members: 2", ", agents: [b]"));
}

TEST(Workload, SurvivesTheRoundTrip) {
  const Scenario scenario = sound_workload();
  const ScenarioReading again = read_scenario(to_yaml(scenario), "again.yaml");
  EXPECT_EQ(texts(again), std::vector<std::string>{});
  ASSERT_TRUE(again.scenario.has_value());
  EXPECT_EQ(again.scenario->training, scenario.training);
  EXPECT_EQ(again.scenario->collect, scenario.collect);
}

TEST(Workload, ReadsAndWritesFurtherGrids) {
  Scenario scenario = sound_workload();
  scenario.collect->also = {{{{{0}, {1}}}, {{1}}, {{0.5}}}, {{{{0}}}, {}, {}}};
  const ScenarioReading again = read_scenario(to_yaml(scenario), "again.yaml");
  EXPECT_EQ(texts(again), std::vector<std::string>{});
  ASSERT_TRUE(again.scenario.has_value());
  EXPECT_EQ(again.scenario->collect, scenario.collect);
  scenario.collect->also[0].ratios.clear();
  EXPECT_FALSE(read_scenario(to_yaml(scenario), "again.yaml").scenario.has_value());
}

TEST(Workload, LetsARunTableBeMeasuredLater) { EXPECT_TRUE(sound_workload().runs.empty()); }

struct WorkloadMistake {
  const char* name;
  std::string old_text;
  std::string new_text;
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const WorkloadMistake& mistake) {
  return out << mistake.name;
}
std::string workload_name_of(const testing::TestParamInfo<WorkloadMistake>& info) {
  return info.param.name;
}

class WorkloadMistakes : public testing::TestWithParam<WorkloadMistake> {};

TEST_P(WorkloadMistakes, GiveExactlyThisMessage) {
  std::string text = kSoundWorkload;
  const std::size_t at = text.find(GetParam().old_text);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().old_text.size(), GetParam().new_text);
  const ScenarioReading reading = read_scenario(text, "f.yaml");
  EXPECT_EQ(texts(reading), std::vector<std::string>{GetParam().message});
  EXPECT_FALSE(reading.scenario.has_value());
  for (const Diagnostic& d : reading.diagnostics) EXPECT_NE(d.hint, "") << d.text();
}

INSTANTIATE_TEST_SUITE_P(
    Training, WorkloadMistakes,
    testing::Values(
        WorkloadMistake{
            "UnknownNetwork", "network: vgg11", "network: vgg12",
            "f.yaml:8: training.network is 'vgg12', which is not known; did you mean 'vgg11'?"},
        WorkloadMistake{"NoNetwork", "  network: vgg11\n", "",
                        "f.yaml:7: training.network is missing"},
        WorkloadMistake{"NoDataset", "  dataset: data/cifar 10\n", "",
                        "f.yaml:7: training.dataset is missing"},
        WorkloadMistake{"EmptyDataset", "data/cifar 10", "''",
                        "f.yaml:10: training.dataset is ''; it must be the name of a file"},
        WorkloadMistake{"TooWide", "width: 0.25", "width: 40",
                        "f.yaml:9: training.width is 40; it must be > 0 and ≤ 4"},
        WorkloadMistake{"FractionOfAMember", "members: 5", "members: 2.5",
                        "f.yaml:16: training.nodes.gold.members is 2.5; it must be a whole number"},
        WorkloadMistake{
            "NoSamples", "samples: 45000", "samples: 0",
            "f.yaml:16: training.nodes.gold.samples is 0; it must be ≥ 1 and ≤ 1000000000"},
        WorkloadMistake{"MoreMembersThanSamples", "samples: 45000", "samples: 3",
                        "f.yaml:16: training.nodes.gold has 5 members, but only 3 samples"},
        WorkloadMistake{"AlphaWithoutDirichlet", "split: dirichlet", "split: iid",
                        "f.yaml:15: training.nodes.silver.alpha goes with split: dirichlet only"},
        WorkloadMistake{"UnknownNodeSet", "    gold: {samples", "    gild: {samples",
                        "f.yaml:16: training.nodes.gild is not in nodes; did you mean 'gold'?"},
        WorkloadMistake{"ForgottenNodeSet",
                        "    silver: {samples: 5000, classes: 13, split: dirichlet, alpha: 0.3, "
                        "device: a4000}\n",
                        "", "f.yaml:14: training.nodes.silver is missing"}),
    workload_name_of);

INSTANTIATE_TEST_SUITE_P(
    Collect, WorkloadMistakes,
    testing::Values(
        WorkloadMistake{"NoSeeds", "  seeds: [1, 9007199254740991]\n", "",
                        "f.yaml:17: collect.seeds is missing"},
        WorkloadMistake{"NegativeSeed", "[1, 9007199254740991]", "[1, -2]",
                        "f.yaml:18: collect.seeds[1] is -2; it must be ≥ 0 and ≤ 9007199254740991"},
        WorkloadMistake{"RepeatedSeed", "[1, 9007199254740991]", "[1, 1]",
                        "f.yaml:18: collect.seeds[1] repeats 1"},
        WorkloadMistake{"UnknownNodeSet", "[gold, silver, gold]", "[gold, sliver, gold]",
                        "f.yaml:19: collect.sequences[2][1] is 'sliver', which is not in nodes; "
                        "did you mean 'silver'?"},
        WorkloadMistake{"RepeatedSequence", "[gold, silver, gold]", "[gold, silver]",
                        "f.yaml:19: collect.sequences[2] repeats an earlier sequence"},
        WorkloadMistake{"EmptySequence", "[gold, silver, gold]", "[]",
                        "f.yaml:19: collect.sequences[2] is empty"},
        WorkloadMistake{"HandOverWithoutEpochs", "  switch_epochs: [5, 15]\n", "",
                        "f.yaml:17: collect.switch_epochs is missing"},
        WorkloadMistake{"HandOverWithoutRatios", "  ratios: [[0.5, 0.75], [0.25]]\n", "",
                        "f.yaml:17: collect.ratios is missing"},
        WorkloadMistake{"EverythingPruned", "[0.25]]", "[1]]",
                        "f.yaml:21: collect.ratios[1][0] is 1; it must be ≥ 0 and < 1"},
        WorkloadMistake{"SwitchBeforeTraining", "[5, 15]", "[0, 15]",
                        "f.yaml:20: collect.switch_epochs[0] is 0; it must be ≥ 1 and ≤ 10000"}),
    workload_name_of);

TEST(Workload, HasABoundOnTheNumberOfExperiments) {
  const std::vector<Setting> settings{
      {"collect.sequences", "[[gold, silver, gold, silver, gold, silver, gold, silver]]"},
      {"collect.ratios", "[0, 0.1, 0.2, 0.3]"}};
  const ScenarioReading reading = read_scenario(kSoundWorkload, "f.yaml", settings);
  EXPECT_EQ(texts(reading),
            std::vector<std::string>{"f.yaml:17: collect asks for 4194304 experiments; at most "
                                     "100000 are allowed"});
}

TEST(Workload, IsNeededToCollect) {
  std::string text = kSoundWorkload;
  const std::size_t begin = text.find("training:");
  text.erase(begin, text.find("collect:") - begin);
  const ScenarioReading reading = read_scenario(text, "f.yaml");
  EXPECT_EQ(texts(reading), (std::vector<std::string>{
                                "f.yaml:1: run is missing",
                                "f.yaml:7: collect needs a training section, which is not there"}));
}

}  // namespace
}  // namespace espalier
