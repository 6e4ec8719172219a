// SPDX-License-Identifier: Apache-2.0
// An orchestrator that is killed while nodes on other machines work for it: they stay, call the
// same address until somebody answers, and go on.
#include "orchestrator/run_state.h"
#include "other_nodes_site.h"

namespace espalier {
namespace {

class KilledOrchestrator : public OtherNodesSite {
 protected:
  // The second of each set takes longer, so that rounds have a middle.
  void all_come() {
    for (const char* name : {"gold-1", "silver-1"}) come(name, {"PRETEND_TASK_MS=50"});
    for (const char* name : {"gold-2", "silver-2"}) come(name, {"PRETEND_TASK_MS=600"});
  }
  // The newest round is one of training: one of its two is done, the other one is not.
  bool is_in_the_middle_of_training() const {
    std::istringstream lines(events());
    nlohmann::json newest;
    int results = 0;
    for (std::string line; std::getline(lines, line);) {
      const auto event = nlohmann::json::parse(line, nullptr, false);
      if (event.is_discarded() || event["event"] != "result-came") continue;
      const nlohmann::json& task = event["result"]["task"];
      results = task == newest ? results + 1 : 1;
      newest = task;
    }
    return results == 1 && newest[2] == static_cast<int>(RoundKind::Train);
  }
  int told(const std::string& event, const std::string& node) const {
    std::istringstream lines(events());
    int count = 0;
    for (std::string line; std::getline(lines, line);)
      count += contains(line, '"' + event + '"') && contains(line, '"' + node + '"') ? 1 : 0;
    return count;
  }
  void resume_with_the_same_nodes() {
    remember_epochs();
    for (const char* name : {"gold-1", "gold-2", "silver-1", "silver-2"})
      ASSERT_FALSE(node(name).is_over()) << name << said_by(name);
    resume();
  }
  void expect_one_account() {
    EXPECT_EQ(end(), 0) << out() << err();
    remember_epochs();
    EXPECT_EQ(members_of(epochs_done()), 2) << folder.read("here/metrics.csv");
    for (std::size_t epoch = 2; epoch <= epochs_done(); ++epoch) {
      EXPECT_GE(figure(epoch, "time"), figure(epoch - 1, "time")) << epoch;
      EXPECT_GE(figure(epoch, "energy"), figure(epoch - 1, "energy")) << epoch;
    }
    EXPECT_FALSE(told_.empty());
    EXPECT_EQ(std::ranges::adjacent_find(told_), told_.end()) << "an epoch was told twice";
    EXPECT_EQ(status()["nodes_lost"], 0);
    told_.clear();
  }

 private:
  void remember_epochs() {
    std::istringstream lines(out());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("epoch ") && contains(line, "loss"))
        told_.push_back(std::stoi(line.substr(6)));
    std::ranges::sort(told_);
  }

  std::vector<int> told_;  // of all processes that carried the run on
};

TEST_F(KilledOrchestrator, InTheMiddleOfARoundItIsReplacedAndItsNodesGoOn) {
  begin();
  all_come();
  for (const std::size_t epochs : {0U, 1U, 3U}) {
    ASSERT_TRUE(comes_to([&] { return epochs_done() >= epochs && is_in_the_middle_of_training(); }))
        << out() << err();
    orchestrator().signal(SIGKILL);
    ASSERT_EQ(end(), 128 + SIGKILL) << out() << err();
    const int before = told("node-came", "silver-2");
    resume_with_the_same_nodes();
    EXPECT_TRUE(comes_to([&] { return told("node-came", "silver-2") > before; }))
        << "enrols again" << said_by("silver-2");
  }
  expect_one_account();
}

TEST_F(KilledOrchestrator, AtAnyRowOfItsJournalItIsReplacedAndItsNodesGoOn) {
  for (const char* moment : {"before:12", "after:17", "after:24", "before:33", "checkpoint:3"}) {
    folder.remove("here");
    begin({}, {std::string("ESPALIER_CRASH_AT=") + moment});
    all_come();
    ASSERT_EQ(end(), 128 + SIGKILL) << moment << out() << err();
    resume_with_the_same_nodes();
    expect_one_account();
    all_go();
  }
}

}  // namespace
}  // namespace espalier
