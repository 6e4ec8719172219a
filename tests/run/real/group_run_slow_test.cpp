// SPDX-License-Identifier: Apache-2.0
// A run with two nodes on other machines that really train: one process, and a group of two that
// mpirun starts. Skipped where there is none.
#include <map>

#include "run/other_nodes_site.h"

namespace espalier {
namespace {

constexpr const char* kMpirun = "/usr/bin/mpirun";

class RunWithAGroup : public OtherNodesSite {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kMpirun)) GTEST_SKIP() << "there is no mpirun here";
    folder.write("fakes.yaml", R"(espalier: 1
name: group
goal: {loss: 0.9, deadline: 30 min}
start: {model: L, nodes: gold, loss: 1.39}
models: {L: {}}
nodes: {gold: {}}
run:
  - {model: L, nodes: gold, time: 20, energy: 9, learn: {rate: 0.25}}
training:
  network: vgg11
  width: 0.1
  dataset: synthetic:4x200
  batch: 16
  learning_rate: 0.01
  nodes:
    gold: {samples: 800, classes: 4, agents: [gold-1, gold-2]}
)");
  }

  // Started by these words, before those of the node.
  void train(const std::string& name, const std::string& samples,
             std::vector<std::string> before = {}, const std::vector<std::string>& more = {}) {
    const auto files = certificates_.issue(name, for_this_day());
    const auto work = folder / "nodes" / name;
    std::filesystem::create_directories(work);
    const std::vector<std::string> node{ESPALIER_TRAINER, "node",   "--orchestrator",
                                        address(),        "--data", "synthetic:4x200",
                                        "--samples",      samples,  "--certificates",
                                        files.string(),   "--work", (work / "work").string()};
    before.insert(before.end(), node.begin(), node.end());
    before.insert(before.end(), more.begin(), more.end());
    // Open MPI refuses to run as root unless it is told that this is meant.
    const std::vector<std::string> environment{"OMPI_ALLOW_RUN_AS_ROOT=1",
                                               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                               "TMPDIR=" + folder.path().string()};
    trainers_[name] = std::make_unique<Started>(before, environment, work);
  }

  std::vector<nlohmann::json> updates_of(const std::string& node) const {
    std::vector<nlohmann::json> updates;
    std::istringstream lines(events());
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line, nullptr, false);
      if (event.is_object() && event["event"] == "result-came" && event["node"] == node &&
          event["result"].contains("update"))
        updates.push_back(event["result"]);
    }
    return updates;
  }

  std::map<std::string, std::unique_ptr<Started>> trainers_;
};

TEST_F(RunWithAGroup, TakesItForOneNodeAndReachesItsGoal) {
  begin();
  ASSERT_FALSE(HasFailure());
  train("gold-1", "1/2");
  train("gold-2", "2/2", {kMpirun, "--oversubscribe", "-np", "2"}, {"--group", "auto"});
  EXPECT_EQ(end(), 0) << out() << err() << folder.read("nodes/gold-2/.err");
  EXPECT_TRUE(contains(out(), "The goal is reached")) << out();
  EXPECT_TRUE(contains(out(), "2 nodes are here")) << out();
  ASSERT_GE(epochs_done(), 1U);
  for (std::size_t epoch = 1; epoch <= epochs_done(); ++epoch) EXPECT_EQ(members_of(epoch), 2);
  EXPECT_EQ(samples_of("gold-2"), 400);
  EXPECT_EQ(status()["nodes_lost"], 0);
  ASSERT_EQ(updates_of("gold-2").size(), epochs_done());
  for (const nlohmann::json& update : updates_of("gold-2"))
    EXPECT_TRUE(contains(update.dump(), "2 processes on 1 machine")) << update.dump(1);
  EXPECT_EQ(trainers_["gold-1"]->wait(), 0) << folder.read("nodes/gold-1/.err");
  EXPECT_EQ(trainers_["gold-2"]->wait(), 0) << folder.read("nodes/gold-2/.err");
}

}  // namespace
}  // namespace espalier
