// SPDX-License-Identifier: Apache-2.0
// Commands that look at a run, or end it.
#include <algorithm>
#include <set>
#include <sstream>

#include "io/model_file.h"
#include "run/csv_rows.h"
#include "run_site.h"

namespace espalier {
namespace {

class Looking : public RunSite {
 protected:
  std::unique_ptr<Started> begin_slowly() const {
    auto running = start(run_words("here"), {"PRETEND_TASK_MS=150"});
    EXPECT_TRUE(comes_true([&] { return epochs_told() >= 1 || running->is_over(); })) << err();
    return running;
  }
  // The run's own output is in the same file as that of other commands otherwise.
  std::unique_ptr<Started> look(std::vector<std::string> words) const {
    std::filesystem::create_directories(folder / "look");
    words.insert(words.begin(), ESPALIER_PROGRAM);
    return std::make_unique<Started>(words, std::vector<std::string>{}, folder / "look");
  }
  std::string seen() const { return folder.read("look/.out"); }
};

TEST_F(Looking, LogsFollowARunToItsEnd) {
  const auto running = begin_slowly();
  const auto logs = look({"logs", "../here", "--follow"});
  EXPECT_TRUE(comes_true([&] { return contains(seen(), "epoch 1 ") || logs->is_over(); }));
  EXPECT_EQ(running->wait(), 0) << err();
  EXPECT_EQ(logs->wait(), 0);
  EXPECT_TRUE(contains(seen(), "The goal is reached")) << seen();
}

TEST_F(Looking, LogsFollowUntilCtrlC) {
  const auto running = begin_slowly();
  const auto logs = look({"logs", "../here", "--follow"});
  EXPECT_TRUE(comes_true([&] { return contains(seen(), "epoch 1 ") || logs->is_over(); }));
  logs->signal(SIGINT);
  EXPECT_EQ(logs->wait(), 7);
  EXPECT_EQ(running->wait(), 0) << "nobody else is stopped";
}

TEST_F(Looking, RawLogsAreWhatTheJournalHas) {
  ASSERT_EQ(run(run_words("here")), 0) << err();
  ASSERT_EQ(run({"logs", "here", "--raw"}), 0) << err();
  EXPECT_EQ(out(), folder.read("here/events.jsonl"));
  std::istringstream lines(out());
  std::set<std::string> kinds;
  for (std::string line; std::getline(lines, line);)
    kinds.insert(nlohmann::json::parse(line).at("event"));
  for (const char* kind : {"run-began", "plan-decided", "node-came", "result-came"})
    EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST_F(Looking, TheBestNetworkIsExportedThoughItIsNotTheLast) {
  ASSERT_EQ(run(run_words("here", {"--set", "goal.loss=0.2", "--set", "goal.deadline=30"}),
                {"PRETEND_LOSS=rising"}),
            3)
      << out() << err();
  const std::vector<CsvRow> rows = csv_rows(outcome("here"));
  const auto best = std::ranges::min_element(
      rows, {}, [](const CsvRow& row) { return std::stod(row.at("loss")); });
  ASSERT_NE(best + 1, rows.end()) << outcome("here");
  ASSERT_EQ(run({"export", "here", "--best", "--model", "b.safetensors", "--format", "json"}), 0);
  const auto told = nlohmann::json::parse(out()).at("data").at("model");
  EXPECT_EQ(told.at("epoch"), best - rows.begin() + 1);
  EXPECT_EQ(told.at("loss"), std::stod(best->at("loss")));
  EXPECT_EQ(load_model(folder / "b.safetensors").weights,
            load_model(folder / "here/models/best.safetensors").weights);
  ASSERT_EQ(run({"export", "here", "--model", "l.safetensors"}), 0);
  EXPECT_NE(load_model(folder / "l.safetensors").weights,
            load_model(folder / "b.safetensors").weights);
}

TEST_F(Looking, StopTellsMachinesWhetherItRan) {
  const auto running = begin_slowly();
  const auto stop = look({"stop", "../here", "--format", "json"});
  EXPECT_EQ(stop->wait(), 0);
  const auto told = nlohmann::json::parse(seen());
  EXPECT_EQ(told.at("status"), "ok");
  EXPECT_EQ(told.at("data").at("directory"), "../here");
  EXPECT_EQ(told.at("data").at("was_running"), true);
  EXPECT_EQ(running->wait(), 7);
  EXPECT_EQ(look({"stop", "../here", "--format", "json"})->wait(), 0);
  EXPECT_EQ(nlohmann::json::parse(seen()).at("data").at("was_running"), false);
}

}  // namespace
}  // namespace espalier
