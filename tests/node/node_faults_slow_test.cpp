// SPDX-License-Identifier: Apache-2.0
// What may happen to a node, with its expected outcome.
#include <signal.h>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "fakes/powercap.h"
#include "node/node_site.h"

namespace espalier {
namespace {

using NodeFaults = NodeSite;
using std::chrono::milliseconds;

TEST_F(NodeFaults, KilledInTheMiddleItComesBackUnderItsName) {
  const Task first = long_task(0);
  desk_.give("gold-1", first);
  AgentProcess node = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", first); })) << said_by("gold-1");
  ::kill(node.id(), SIGKILL);
  EXPECT_EQ(exit_code_of(node), 128 + SIGKILL);
  const Task second = task(1);
  desk_.give("gold-1", second);
  AgentProcess again = start("gold-1");
  ASSERT_TRUE(result_of(second)) << said_by("gold-1");
  EXPECT_EQ(desk_.hellos("gold-1").size(), 2U);
  EXPECT_NE(desk_.hellos("gold-1")[0].incarnation, desk_.hellos("gold-1")[1].incarnation);
}

TEST_F(NodeFaults, FrozenItIsMissedAndThawedItGoesOn) {
  const Task work = task(0, {.local_epochs = 30});
  desk_.give("gold-1", work);
  AgentProcess node = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", work); })) << said_by("gold-1");
  ::kill(node.id(), SIGSTOP);
  ASSERT_TRUE(comes_true([&] { return !desk_.is_alive("gold-1"); }));
  EXPECT_TRUE(desk_.results().empty());
  ::kill(node.id(), SIGCONT);
  ASSERT_TRUE(result_of(work)) << said_by("gold-1");
  EXPECT_EQ(result_of(work)->end, TaskEnd::Finished);
}

TEST_F(NodeFaults, TenTimesSlowerItDropsWhatNobodyWaitsForAnyMore) {
  const Task slow = long_task(0);
  const Task next = task(1);
  desk_.give("gold-1", slow);
  AgentProcess node = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", slow); })) << said_by("gold-1");
  std::jthread brake([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      ::kill(node.id(), SIGSTOP);
      std::this_thread::sleep_for(milliseconds(90));
      ::kill(node.id(), SIGCONT);
      std::this_thread::sleep_for(milliseconds(10));
    }
  });
  desk_.withdraw(slow.id);
  desk_.give("gold-1", next);
  ASSERT_TRUE(result_of(next)) << said_by("gold-1");
  EXPECT_EQ(desk_.results().size(), 1U);
  brake.request_stop();
}

TEST_F(NodeFaults, TwoUnderOneNameTheSecondIsSentAway) {
  AgentProcess first = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return desk_.is_alive("gold-1"); })) << said_by("gold-1");
  AgentProcess second(
      {words_for("gold-1", {"--patience", "2 s", "--work", (folder_ / "elsewhere").string()}),
       log_of("second")});
  EXPECT_EQ(exit_code_of(second), 2) << said_by("second");
  EXPECT_TRUE(contains(said_by("second"), "another process of this name")) << said_by("second");
  const Task work = task(0);
  desk_.give("gold-1", work);
  EXPECT_TRUE(result_of(work)) << "the first one is still there";
  EXPECT_EQ(desk_.hellos("gold-1").size(), 1U);
}

TEST_F(NodeFaults, TwoInOneFolderTheSecondIsToldSo) {
  AgentProcess first = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return desk_.is_alive("gold-1"); })) << said_by("gold-1");
  AgentProcess second({words_for("gold-1"), folder_ / "second.log"});
  EXPECT_EQ(exit_code_of(second), 4);
  EXPECT_TRUE(contains(said_by("second"), "in use by another node agent")) << said_by("second");
}

// A limit of the size of files stands for a disk that is full.
TEST_F(NodeFaults, WithoutRoomForANetworkItSaysSoAndGoesOnWhenThereIsSome) {
  AgentProcess node = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return desk_.is_alive("gold-1"); })) << said_by("gold-1");
  const rlimit little{16'384, RLIM_INFINITY};
  ASSERT_EQ(::prlimit(node.id(), RLIMIT_FSIZE, &little, nullptr), 0);
  const Task first = task(0);
  ASSERT_GT(first.network.size, little.rlim_cur);
  desk_.give("gold-1", first);
  const auto without_room = result_of(first);
  ASSERT_TRUE(without_room) << said_by("gold-1");
  EXPECT_EQ(without_room->end, TaskEnd::Failed);
  EXPECT_TRUE(contains(without_room->message, "cannot write")) << without_room->message;

  const rlimit plenty{RLIM_INFINITY, RLIM_INFINITY};
  ASSERT_EQ(::prlimit(node.id(), RLIMIT_FSIZE, &plenty, nullptr), 0);
  const Task second = task(1);
  desk_.give("gold-1", second);
  ASSERT_TRUE(result_of(second)) << said_by("gold-1");
  EXPECT_EQ(result_of(second)->end, TaskEnd::Finished) << result_of(second)->message;
  EXPECT_EQ(desk_.hellos("gold-1").size(), 1U) << "the link is all right";
}

TEST_F(NodeFaults, OutlivesItsOrchestratorAndHandsInWhatItFinishedMeanwhile) {
  const Task work = task(0, {.local_epochs = 30});
  desk_.give("gold-1", work);
  AgentProcess node = start("gold-1");
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", work); })) << said_by("gold-1");
  close();
  desk_.forget_everybody();
  std::this_thread::sleep_for(milliseconds(500));
  open(address_);
  ASSERT_TRUE(result_of(work)) << said_by("gold-1");
  EXPECT_GE(desk_.hellos("gold-1").size(), 2U);
  EXPECT_EQ(desk_.hellos("gold-1")[0].incarnation, desk_.hellos("gold-1")[1].incarnation);
}

TEST_F(NodeFaults, EndsSoonAndCleanlyOnASignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const Task work = long_task(signal);
    desk_.give("gold-1", work);
    AgentProcess node = start("gold-1");
    ASSERT_TRUE(comes_true([&] { return is_at("gold-1", work); })) << said_by("gold-1");
    ::kill(node.id(), signal);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(exit_code_of(node), 0) << said_by("gold-1");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  }
  EXPECT_TRUE(desk_.results().empty());
}

TEST_F(NodeFaults, WithOtherDataItSaysSoWhenItComesBack) {
  for (const char* samples : {"all", "20"}) {
    AgentProcess node = start("gold-1", {"--samples", samples});
    const std::size_t before = desk_.hellos("gold-1").size();
    ASSERT_TRUE(comes_true([&] { return desk_.hellos("gold-1").size() > before; }))
        << said_by("gold-1");
    desk_.give("gold-1", Dismissal{"enough"});
    EXPECT_EQ(exit_code_of(node), 0);
  }
  EXPECT_EQ(desk_.hellos("gold-1")[1].samples, 20);
  EXPECT_GT(desk_.hellos("gold-1")[0].samples, 20);
}

TEST_F(NodeFaults, ACounterOfEnergyThatWrapsIsFollowedAndOneThatVanishesIsModelled) {
  const fakes::FakePowercap counters;
  const std::string zone = "intel-rapl:0";
  counters.add(zone, "package-0", fakes::FakePowercap::kRange - 1'000'000);
  ::setenv("ESPALIER_POWERCAP", counters.root().c_str(), 1);
  AgentProcess node = start("gold-1");
  ::unsetenv("ESPALIER_POWERCAP");
  const Task first = task(0, {.local_epochs = 30});
  desk_.give("gold-1", first);
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", first); })) << said_by("gold-1");
  counters.set(zone, 1'000'000);
  const auto wrapped = result_of(first);
  ASSERT_TRUE(wrapped) << said_by("gold-1");
  EXPECT_EQ(wrapped->energy.provenance, Provenance::Measured) << wrapped->energy.source;
  EXPECT_NEAR(wrapped->energy.energy.value, 2, 0.01);

  const Task second = task(1, {.local_epochs = 30});
  desk_.give("gold-1", second);
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", second); })) << said_by("gold-1");
  counters.folder().remove(zone);
  const auto without = result_of(second);
  ASSERT_TRUE(without) << said_by("gold-1");
  EXPECT_EQ(without->end, TaskEnd::Finished);
  EXPECT_EQ(without->energy.provenance, Provenance::Modelled);
  EXPECT_TRUE(contains(without->energy.source, "not measured")) << without->energy.source;
  EXPECT_GT(without->energy.energy.value, 0);
}

TEST_F(NodeFaults, NobodyAtTheAddressIsSaidPlainly) {
  close();
  AgentProcess node = start("gold-1", {"--patience", "1 s"});
  EXPECT_EQ(exit_code_of(node), 2);
  EXPECT_TRUE(contains(said_by("gold-1"), address_)) << said_by("gold-1");
}

TEST_F(NodeFaults, CertificatesOfAnotherAuthorityGetNobodyIn) {
  const auto other = CertificateFolder::create(
      folder_ / "other", valid_for(std::chrono::days(1), std::chrono::system_clock::now()));
  CertificateFolder(other).issue("gold-1",
                                 valid_for(std::chrono::days(1), std::chrono::system_clock::now()));
  AgentProcess node =
      start("gold-1", {"--patience", "1 s", "--certificates", other.node_files("gold-1").string()});
  EXPECT_EQ(exit_code_of(node), 2) << said_by("gold-1");
  EXPECT_TRUE(desk_.hellos("gold-1").empty());
}

struct BadNode {
  std::vector<std::string> more;
  std::string says;
};

TEST_F(NodeFaults, BadInputEndsWithFourAndAHint) {
  folder_.write("empty/readme.txt", "");
  std::filesystem::remove(folder_ / "empty/readme.txt");
  folder_.write("short/train-images-idx3-ubyte", std::string_view("\0\0\x08\x03\0\0\0\x09", 8));
  folder_.write("short/train-labels-idx1-ubyte", std::string_view("\0\0\x08\x01\0\0\0\x09", 8));
  folder_.write("short/t10k-images-idx3-ubyte", "nonsense");
  folder_.write("short/t10k-labels-idx1-ubyte", "nonsense");
  const std::string root = folder_.path().string();
  const auto other_key = (certificate_of("silver-1") / "key.pem").string();
  const std::vector<BadNode> all{
      {{"--data", root + "/nowhere"}, "nowhere"},
      {{"--data", root + "/empty"}, "empty"},
      {{"--data", root + "/short"}, "short"},
      {{"--data", "fashion-mnits"}, "did you mean 'fashion-mnist'"},
      {{"--samples", "3/2"}, "no part of a data set"},
      {{"--samples", "9999/9999"}, "leaves this node no image"},
      {{"--orchestrator", "nonsense"}, "is no address"},
      {{"--certificates", root + "/nowhere"}, "nowhere"},
      {{"--key", other_key}, "key"},
      {{"--key", root + "/empty"}, "empty"},
      {{"--threads", "0"}, "--threads"},
      {{"--patience", "soon"}, "soon"},
      {{"--work", "/proc/nothing"}, "cannot be written to"},
      {{"--group", "auto"}, "needs a launcher"},
      {{"--sample", "1"}, "--sample"},
  };
  int number = 0;
  for (const BadNode& bad : all) {
    const std::string name = "bad-" + std::to_string(number++);
    AgentProcess node({words_for("gold-1", bad.more), log_of(name)});
    EXPECT_EQ(exit_code_of(node), 4) << bad.says << "\n" << said_by(name);
    EXPECT_TRUE(contains(said_by(name), bad.says)) << said_by(name);
    EXPECT_TRUE(contains(said_by(name), "error: ")) << said_by(name);
    EXPECT_TRUE(contains(said_by(name), "→ ")) << "a hint" << said_by(name);
  }
}

constexpr const char* kTwoAndOne = R"(espalier: 1
name: local
goal: {loss: 0.2, deadline: 10 min}
start: {model: L, nodes: gold, loss: 1.39}
models: {L: {}}
nodes: {gold: {}, silver: {}}
training:
  network: vgg11
  width: 0.05
  dataset: synthetic:4x60
  nodes:
    gold: {samples: 80, classes: 4, members: 2}
    silver: {samples: 40, classes: 4, members: 1}
)";

class LocalAgentFaults : public NodeSite {
 protected:
  AgentProcess host() {
    for (const char* name : {"gold-1", "gold-2", "silver-1"}) certificate_of(name);
    const auto scenario = folder_.write("scenario.yaml", kTwoAndOne);
    return AgentProcess({{LOCAL_AGENTS_HOST, ESPALIER_TRAINER, scenario.string(),
                          (folder_ / "agents").string(), address_, certificates_.path().string()},
                         log_of("host")});
  }
  bool all_are_here() const {
    return desk_.is_alive("gold-1") && desk_.is_alive("gold-2") && desk_.is_alive("silver-1");
  }
  // Processes that have this test's folder in their command line.
  std::vector<pid_t> agents() const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      std::stringstream words;
      words << file.rdbuf();
      if (contains(words.str(), (folder_ / "agents" / "").string()))
        found.push_back(std::stoi(entry.path().filename().string()));
    }
    return found;
  }
};

TEST_F(LocalAgentFaults, OneThatIsKilledIsStartedAgainWithItsOwnData) {
  AgentProcess parent = host();
  ASSERT_TRUE(comes_true([&] { return all_are_here(); })) << said_by("agents/gold-1");
  EXPECT_EQ(desk_.hellos("gold-1")[0].samples, 40);
  EXPECT_EQ(desk_.hellos("silver-1")[0].nodes, "silver");
  ASSERT_EQ(agents().size(), 3U);
  ::kill(agents()[0], SIGKILL);
  ASSERT_TRUE(comes_true([&] { return contains(said_by("host"), "started again"); }));
  const auto hellos = [&] {
    return desk_.hellos("gold-1").size() + desk_.hellos("gold-2").size() +
           desk_.hellos("silver-1").size();
  };
  EXPECT_TRUE(comes_true([&] { return hellos() == 4; }));
  EXPECT_EQ(agents().size(), 3U);
}

TEST_F(LocalAgentFaults, NoneOutlivesAnOrchestratorThatIsKilled) {
  AgentProcess parent = host();
  ASSERT_TRUE(comes_true([&] { return all_are_here(); })) << said_by("agents/gold-1");
  ::kill(parent.id(), SIGKILL);
  EXPECT_EQ(exit_code_of(parent), 128 + SIGKILL);
  EXPECT_TRUE(comes_true([&] { return agents().empty(); }, std::chrono::seconds(5)));
}

TEST_F(LocalAgentFaults, OneThatCannotWorkIsNotStartedForever) {
  std::filesystem::create_directories(folder_ / "agents");
  folder_.write("agents/gold-1", "a file where a folder should be");
  AgentProcess parent = host();
  ASSERT_TRUE(comes_true([&] { return contains(said_by("host"), "not started again"); }))
      << said_by("host");
  EXPECT_TRUE(contains(said_by("host"), "gold-1 ended with exit code 4")) << said_by("host");
  EXPECT_TRUE(comes_true([&] { return desk_.is_alive("gold-2") && desk_.is_alive("silver-1"); }));
}

}  // namespace
}  // namespace espalier
