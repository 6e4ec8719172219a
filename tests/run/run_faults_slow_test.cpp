// SPDX-License-Identifier: Apache-2.0
// What may happen to real processes in the middle of a run.
#include <cstdio>
#include <fstream>
#include <random>

#include "csv_rows.h"
#include "run_site.h"

namespace espalier {
namespace {

using RunFaults = RunSite;

std::vector<pid_t> nodes_of(pid_t orchestrator) {
  std::vector<pid_t> children;
  const std::string task = "/proc/" + std::to_string(orchestrator) + "/task";
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator(task, gone)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

// Killed before and after every row of its journal, and in the middle of every checkpoint, it ends
// the same, and no epoch that it had told of is trained again.
TEST_F(RunFaults, OrchestratorsKilledAtAnyMomentOfTheirJournalEndTheSame) {
  ASSERT_EQ(run(run_words("undisturbed")), 0) << err();
  const std::string undisturbed = outcome("undisturbed");
  const std::size_t epochs = epochs_told();
  // Whether the run came to that moment.
  const auto survives_kill = [&](const std::string& moment) {
    folder.remove("killed");
    const int code = run(run_words("killed"), {"ESPALIER_CRASH_AT=" + moment});
    if (code == 0) return false;
    EXPECT_EQ(code, 128 + SIGKILL) << moment << err();
    const std::size_t told = epochs_told();
    EXPECT_EQ(run({"resume", "killed"}), 0) << moment << out() << err();
    EXPECT_EQ(outcome("killed"), undisturbed) << moment;
    EXPECT_LE(epochs_told() + told, epochs) << moment;
    return !HasFailure();
  };
  int kills = 0;
  // How many results share a row is a matter of when they come: the last rows are not in every run.
  for (const char* kind : {"before:", "after:", "checkpoint:"})
    for (int i = 1; survives_kill(kind + std::to_string(i)); ++i) ++kills;
  EXPECT_GE(kills, 100);
  std::printf("killed at %d moments\n", kills);
}

TEST_F(RunFaults, OrchestratorsKilledAtAnyTimeEndTheSame) {
  ASSERT_EQ(run(run_words("undisturbed")), 0) << err();
  std::mt19937 random(1);
  int kills = 0;
  std::vector<std::string> words = run_words("killed");
  while (kills < 10) {
    const auto running = start(words, {"PRETEND_TASK_MS=100"});
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + random() % 900));
    if (running->is_over()) break;
    running->signal(SIGKILL);
    ++kills;
    if (std::filesystem::exists(folder / "killed" / "journal.db"))
      words = {"resume", "killed"};
    else
      folder.remove("killed");  // whoever begins a run wants a folder of its own
  }
  EXPECT_GE(kills, 3);
  ASSERT_EQ(run({"resume", "killed"}), 0) << out() << err();
  EXPECT_EQ(outcome("killed"), outcome("undisturbed"));
}

TEST_F(RunFaults, NodesThatAreKilledComeBack) {
  const auto running = start(run_words("here", {"--set", "goal.loss=0.3"}), {"PRETEND_TASK_MS=60"});
  ASSERT_TRUE(comes_true([&] { return epochs_told() >= 1 || running->is_over(); }));
  const std::vector<pid_t> nodes = nodes_of(running->pid());
  ASSERT_EQ(nodes.size(), 4U);
  ::kill(nodes[1], SIGKILL);
  ::kill(nodes[3], SIGKILL);
  EXPECT_EQ(running->wait(), 0) << out() << err();
  EXPECT_TRUE(contains(err(), "started again")) << err();
  EXPECT_EQ(csv_rows(outcome("here")).back().at("members"), "2") << outcome("here");
}

TEST_F(RunFaults, TwoSignalsEndItAtOnceAndItCanBeResumed) {
  const auto running = start(run_words("here"), {"PRETEND_TASK_MS=200"});
  ASSERT_TRUE(comes_true([&] { return epochs_told() >= 1 || running->is_over(); }));
  running->signal(SIGSTOP);
  running->signal(SIGINT);
  running->signal(SIGTERM);
  running->signal(SIGCONT);
  const int code = running->wait();
  EXPECT_TRUE(code == 128 + SIGINT || code == 128 + SIGTERM) << code << ", whichever came second";
  EXPECT_EQ(run({"resume", "here"}), 0) << out() << err();
}

TEST_F(RunFaults, CtrlCTwiceEndsItAtOnceThoughNodesAreStillAtWork) {
  const auto running = start(run_words("here"), {"PRETEND_TASK_MS=2000"});
  ASSERT_TRUE(comes_true([&] { return contains(out(), "the plan") || running->is_over(); }));
  running->signal(SIGINT);
  ASSERT_TRUE(comes_true([&] { return contains(err(), "stopping") || running->is_over(); }));
  running->signal(SIGINT);
  EXPECT_EQ(running->wait(), 128 + SIGINT) << out() << err();
  EXPECT_EQ(run({"resume", "here"}), 0) << out() << err();
}

TEST_F(RunFaults, CertificatesOfAKilledRunAreGoneWhenItIsResumed) {
  const auto certificates_left = [&] {
    int left = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "here" / "agents"))
      left += entry.path().filename().string().starts_with("certificates-") ? 1 : 0;
    return left;
  };
  const auto carry_on_for_an_epoch = [&](const std::vector<std::string>& words, int signal) {
    folder.remove(".out");
    const auto running = start(words, {"PRETEND_TASK_MS=200"});
    EXPECT_TRUE(comes_true([&] { return epochs_told() >= 1 || running->is_over(); }));
    running->signal(signal);
    return running->wait();
  };
  EXPECT_EQ(carry_on_for_an_epoch(run_words("here"), SIGKILL), 128 + SIGKILL) << err();
  EXPECT_EQ(certificates_left(), 1);
  EXPECT_EQ(carry_on_for_an_epoch({"resume", "here"}, SIGINT), 7) << out() << err();
  EXPECT_EQ(certificates_left(), 0);
}

TEST_F(RunFaults, ADamagedJournalIsSaidAndSalvaged) {
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:30"}), 128 + SIGKILL) << err();
  const auto file = folder / "here" / "journal.db-wal";
  ASSERT_TRUE(std::filesystem::exists(file));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_EQ(run({"resume", "here"}), 1);
  EXPECT_TRUE(contains(err(), "rows are missing")) << err();
  EXPECT_TRUE(contains(err(), "--salvage")) << err();
  EXPECT_EQ(run({"resume", "here", "--salvage"}), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "The goal is reached"));
}

TEST_F(RunFaults, AJournalThatIsGoneIsSaidAndNotSilentlyBegunAnew) {
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:30"}), 128 + SIGKILL) << err();
  const std::string events = folder.read("here/events.jsonl");
  for (const char* part : {"", "-wal", "-shm", ".head"})
    std::filesystem::remove(folder / "here" / (std::string("journal.db") + part));
  EXPECT_EQ(run({"resume", "here"}), 1);
  EXPECT_TRUE(contains(err(), "the journal of this run is gone")) << err();
  EXPECT_EQ(folder.read("here/events.jsonl"), events);
  EXPECT_EQ(run({"resume", "here", "--salvage"}), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "The goal is reached"));
  EXPECT_EQ(folder.read("here/before/events.jsonl"), events);
  EXPECT_TRUE(std::filesystem::exists(folder / "here/before/models"));
}

TEST_F(RunFaults, ACheckpointOfAnotherNetworkIsNotTaken) {
  ASSERT_EQ(run(run_words("undisturbed")), 0) << err();
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:30"}), 128 + SIGKILL) << err();
  folder.remove("here/objects");
  const auto network = [](int epoch) {
    return "here/models/epoch-000" + std::to_string(epoch) + ".safetensors";
  };
  int last = 9;
  while (last > 1 && !std::filesystem::exists(folder / network(last))) --last;
  ASSERT_GE(last, 2);
  // A sound network, and not the one that the journal tells of.
  folder.write(network(last), folder.read(network(last - 1)));
  EXPECT_EQ(run({"resume", "here"}), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "back to epoch " + std::to_string(last - 1))) << out();
  EXPECT_EQ(outcome("here"), outcome("undisturbed"));
}

TEST_F(RunFaults, AFlippedBitInTheJournalIsSaidAndSalvaged) {
  ASSERT_EQ(run(run_words("here")), 0) << err();
  const std::string sound = outcome("here");
  const std::string journal = folder.read("here/journal.db");
  // In the text of an event in the middle.
  const auto at = journal.find("round-combined", journal.size() / 2);
  ASSERT_NE(at, std::string::npos);
  std::string damaged = journal;
  damaged[at] = static_cast<char>(damaged[at] ^ 1);
  folder.write("here/journal.db", damaged);
  EXPECT_EQ(run({"status", "here"}), 0);
  EXPECT_TRUE(contains(out(), "the checksum of row")) << out() << err();
  EXPECT_EQ(run({"resume", "here"}), 1);
  EXPECT_TRUE(contains(err(), "--salvage")) << err();
  EXPECT_EQ(run({"resume", "here", "--salvage"}), 0) << out() << err();
  EXPECT_EQ(outcome("here"), sound) << "trained again, to the bit";
}

TEST_F(RunFaults, ALossThatRisesMissesTheGoal) {
  EXPECT_EQ(run(run_words("here", {"--set", "goal.deadline=20"}), {"PRETEND_LOSS=rising"}), 3);
  EXPECT_TRUE(contains(out(), "The goal is missed")) << out() << err();
}

TEST_F(RunFaults, OneThatDivergesIsLeftOut) {
  EXPECT_EQ(run(run_words("here"), {"PRETEND_LOSS=nan", "PRETEND_ONLY=silver-2"}), 0) << err();
  EXPECT_TRUE(contains(out(), "silver-2 does not count in epoch 2")) << out();
}

}  // namespace
}  // namespace espalier
