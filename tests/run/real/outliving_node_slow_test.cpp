// SPDX-License-Identifier: Apache-2.0
// Nodes on other machines that really train, and whose orchestrator is killed meanwhile.
#include <map>

#include "run/other_nodes_site.h"

namespace espalier {
namespace {

class OutlivingNode : public OtherNodesSite {
 protected:
  OutlivingNode() {
    folder.write("fakes.yaml", R"(espalier: 1
name: outliving
goal: {loss: 1, deadline: 30 min}
start: {model: L, nodes: gold, loss: 1.61}
models: {L: {}}
nodes: {gold: {}}
run:
  - {model: L, nodes: gold, time: 10, energy: 9, learn: {rate: 0.25}}
training:
  network: vgg11
  width: 0.2
  dataset: synthetic:5x2401
  batch: 16
  learning_rate: 0.01
  nodes:
    gold: {samples: 12005, classes: 5, agents: [gold-1, gold-2]}
)");
  }

  void train(const std::string& name, const std::string& samples) {
    const auto files = certificates_.issue(name, for_this_day());
    const auto work = folder / "nodes" / name;
    std::filesystem::create_directories(work);
    const std::vector<std::string> words{ESPALIER_TRAINER, "node",   "--orchestrator",
                                         address(),        "--data", "synthetic:5x2401",
                                         "--samples",      samples,  "--certificates",
                                         files.string(),   "--work", (work / "work").string()};
    trainers_[name] = std::make_unique<Started>(words, std::vector<std::string>{}, work);
  }
  // What the journal tells, in its order.
  std::vector<nlohmann::json> journal() const {
    std::vector<nlohmann::json> all;
    std::istringstream lines(events());
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line, nullptr, false);
      if (event.is_object()) all.push_back(event);
    }
    return all;
  }
  // Of the training in the first epoch.
  static bool is_trained_by(const nlohmann::json& event, const std::string& node) {
    return event["event"] == "result-came" && event["node"] == node &&
           event["result"].contains("update");
  }
  bool has_trained(const std::string& node) const {
    return std::ranges::any_of(journal(),
                               [&](const auto& event) { return is_trained_by(event, node); });
  }

  std::map<std::string, std::unique_ptr<Started>> trainers_;
};

TEST_F(OutlivingNode, HandsInWhatItLearnedWhileNobodyWasThere) {
  // Longer than it takes a node to notice that somebody else listens.
  begin({"--patience", "20 s"});
  train("gold-1", "1/61");
  train("gold-2", "all");
  ASSERT_TRUE(comes_to([&] { return has_trained("gold-1"); })) << out() << err();
  ASSERT_FALSE(has_trained("gold-2")) << "it takes seconds";
  orchestrator().signal(SIGKILL);
  ASSERT_EQ(end(), 128 + SIGKILL);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  resume();
  EXPECT_EQ(end(), 0) << out() << err() << folder.read("nodes/gold-2/.err");
  EXPECT_EQ(members_of(1), 2);
  ASSERT_TRUE(has_trained("gold-2"));

  double resumed = 0;
  for (const nlohmann::json& event : journal()) {
    if (event["event"] == "run-resumed") resumed = event["at"];
    if (!is_trained_by(event, "gold-2")) continue;
    const double waited = event["at"].get<double>() - resumed;
    EXPECT_GT(resumed, 0) << "it came later";
    std::printf("%.1f s of training, %.1f s after it was resumed\n",
                event["result"]["time"].get<double>(), waited);
    EXPECT_GT(event["result"]["time"], waited) << "not trained again";
    break;
  }
}

}  // namespace
}  // namespace espalier
