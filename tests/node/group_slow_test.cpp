// SPDX-License-Identifier: Apache-2.0
// Several processes as one node, started by Open MPI, Slurm or MPICH. Skipped where there is none.
#include <iterator>
#include <map>
#include <set>
#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "node/meeting_folder.h"
#include "node/node_site.h"
#include "node/slurm_cluster.h"

namespace espalier {
namespace {

constexpr const char* kMpirun = "/usr/bin/mpirun";
constexpr const char* kMpich = "/usr/bin/mpiexec.hydra";

// So many that an epoch takes several seconds: what is done in its middle is not done between two,
// where whoever is missing is left out and no task fails.
constexpr const char* kManyImages = "synthetic:4x10000";

constexpr int kOnlooker = 1'000;  // of no rank of a group
constexpr std::chrono::seconds kStepPatience{20};
// For what should happen soon, on a busy machine as well, and does not where that is waited for.
constexpr std::chrono::seconds kSoon{15};

struct GroupWords {
  std::vector<std::string> launcher{};
  std::vector<std::string> node{};  // options with their values
};

class Groups : public NodeSite {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kMpirun)) GTEST_SKIP() << "there is no mpirun here";
    // Open MPI refuses to run as root unless it is told that this is meant.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }

  // A launcher that is killed leaves its processes behind.
  void TearDown() override {
    for (const int rank : {0, 1, 2, 3})
      if (const pid_t process = process_of(rank); process > 0) ::kill(process, SIGKILL);
  }

  AgentProcess start_group(int size, const GroupWords& more = {}) {
    const std::string temporary = "TMPDIR=" + folder_.path().string();
    std::vector<std::string> words{kMpirun, "--oversubscribe",   "-x", temporary,
                                   "-np",   std::to_string(size)};
    words.insert(words.end(), more.launcher.begin(), more.launcher.end());
    std::vector<std::string> options{"--group", "auto"};
    options.insert(options.end(), more.node.begin(), more.node.end());
    for (std::string& word : words_for("gold-1", options)) words.push_back(std::move(word));
    return AgentProcess({words, log_of("gold-1")});
  }
  // One process of a group of two, and instead of the other one something that never meets it, and
  // ends well once the file `over` is there.
  AgentProcess start_half_a_group(int rank, const std::string& over) {
    std::vector<std::string> node = words_for("gold-1", {"--group", "auto"});
    const std::string wait = "until [ -e '" + (folder_ / over).string() + "' ]; do sleep 0.1; done";
    std::vector<std::string> nobody{"/bin/sh", "-c", wait};
    if (rank == 1) std::swap(node, nobody);
    std::vector<std::string> words{
        kMpirun, "--oversubscribe", "-x", "TMPDIR=" + folder_.path().string(), "-np", "1"};
    words.insert(words.end(), node.begin(), node.end());
    words.insert(words.end(), {":", "-np", "1"});
    words.insert(words.end(), nobody.begin(), nobody.end());
    return AgentProcess({words, log_of("gold-1")});
  }

  // A group of two in the middle of that epoch of `work`, which comes first. Then whatever happens
  // to one of them happens to the task.
  AgentProcess group_at_work(const Task& work, int epoch = 1) {
    desk_.give("gold-1", work);
    AgentProcess group = start_group(2, {{"--enable-recovery"}, {"--data", kManyImages}});
    const std::string crew = "crew/" + std::to_string(epoch);
    EXPECT_TRUE(comes_true([&] { return text_of_meeting(crew) == "0 1"; })) << said_by("gold-1");
    const pid_t follower = process_of(1);
    const double before = seconds_worked(follower);
    EXPECT_TRUE(comes_true([&] { return seconds_worked(follower) > before + 0.5; }));
    return group;
  }

  // One that takes a moment, however many images there are.
  Task short_task(int epoch) { return task(epoch, {.share = 0.01}); }

  // The process of that rank.
  pid_t process_of(int rank) const {
    const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (!contains(content_of(entry.path() / "cmdline"), folder_.path().string())) continue;
      const std::string variables = content_of(entry.path() / "environ");
      if (contains(variables, wanted + '\0')) return std::stoi(entry.path().filename().string());
    }
    return -1;
  }

  // Where a process can be connected to, as the kernel writes addresses.
  static std::set<std::string> doors_of(pid_t process) {
    const std::filesystem::path about = "/proc/" + std::to_string(process);
    std::set<std::string> own;
    std::error_code closed;
    for (const auto& entry : std::filesystem::directory_iterator(about / "fd", closed)) {
      own.insert(std::filesystem::read_symlink(entry.path(), closed).string());
    }
    std::set<std::string> doors;
    for (const char* table : {"net/tcp", "net/tcp6"}) {
      std::istringstream lines(content_of(about / table));
      for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
        const bool is_open = all.size() > 9 && all[3] == "0A";
        if (is_open && own.contains("socket:[" + all[9] + "]"))
          doors.insert(all[1].substr(0, all[1].find(':')));
      }
    }
    return doors;
  }

  // Where the processes meet, once they do.
  std::filesystem::path meeting() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      // While it is made its name ends otherwise.
      if (name.starts_with("espalier-group-") && name.ends_with("-" + std::to_string(::geteuid())))
        return entry.path();
    }
    return {};
  }
  std::optional<std::string> text_of_meeting(const std::string& key) const {
    const auto path = meeting();
    if (path.empty()) return std::nullopt;
    return MeetingFolder(path, kOnlooker, std::chrono::seconds(1)).look(key);
  }
  // Also where it is being made, or taken away.
  bool is_anything_left() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      if (entry.path().filename().string().starts_with("espalier-group-")) return true;
    return false;
  }
  bool all_are_gone() const { return process_of(0) < 0 && process_of(1) < 0; }
  std::size_t texts_left() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(meeting()), {}));
  }

  // Whether it catches SIGTERM: who does not dies of it.
  static bool is_ready_to_stop(pid_t process) {
    std::istringstream lines(content_of("/proc/" + std::to_string(process) + "/status"));
    const std::string name = "SigCgt:";
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(name))
        return (std::stoull(line.substr(name.size()), nullptr, 16) >> (SIGTERM - 1U) & 1U) != 0;
    return false;
  }

  // Processor time of a process so far.
  double seconds_worked(pid_t process) const {
    const std::string stat = content_of("/proc/" + std::to_string(process) + "/stat");
    // After the name, which is in brackets: the state, ten numbers, then ticks as user and system.
    std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  static std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
};

TEST_F(Groups, TrainAsOneNode) {
  const Task first = task(0, {.local_epochs = 3});
  const Task second = task(1);
  for (const Task& one : {first, second}) desk_.give("gold-1", one);
  desk_.give("gold-1", Dismissal{"that was all"});
  AgentProcess group = start_group(2);
  EXPECT_EQ(exit_code_of(group), 0) << said_by("gold-1");
  EXPECT_TRUE(contains(said_by("gold-1"), "a group of 2 processes")) << said_by("gold-1");
  ASSERT_EQ(desk_.hellos("gold-1").size(), 1U) << "rank 0 alone is the agent";
  ASSERT_TRUE(result_of(first) && result_of(second));
  EXPECT_EQ(result_of(first)->end, TaskEnd::Finished) << result_of(first)->message;
  EXPECT_EQ(result_of(first)->samples, desk_.hellos("gold-1")[0].samples);
  EXPECT_NE(update_of(*result_of(first)), network());
  EXPECT_LT(result_of(first)->loss.value, 2) << "it has learned";
  for (const Task& one : {first, second}) {
    const std::string source = result_of(one)->energy.source;
    EXPECT_TRUE(contains(source, "2 processes on 1 machine")) << source;
  }
}

TEST_F(Groups, OfOneMachineListenOnLoopbackAlone) {
  const Task work = task(0, {.local_epochs = 50});
  desk_.give("gold-1", work);
  const AgentProcess group = start_group(2);
  ASSERT_TRUE(comes_true([&] { return process_of(0) > 0 && process_of(1) > 0; }));
  // Each door is open for a moment, at the beginning of an epoch.
  std::map<pid_t, std::set<std::string>> seen{{process_of(0), {}}, {process_of(1), {}}};
  ASSERT_TRUE(comes_true([&] {
    for (auto& [process, doors] : seen) doors.merge(doors_of(process));
    return !desk_.results().empty();
  })) << said_by("gold-1");
  EXPECT_EQ(result_of(work)->end, TaskEnd::Finished) << result_of(work)->message;
  const std::set<std::string> loopback{"0100007F"};  // 127.0.0.1
  for (const auto& [process, doors] : seen) EXPECT_EQ(doors, loopback) << process;
}

TEST_F(Groups, ClearAwayWhatPassed) {
  const Task work = task(0, {.local_epochs = 10});
  desk_.give("gold-1", work);
  const AgentProcess group = start_group(2);
  ASSERT_TRUE(result_of(work)) << said_by("gold-1");
  EXPECT_EQ(result_of(work)->end, TaskEnd::Finished) << result_of(work)->message;
  EXPECT_LT(texts_left(), 10U);
}

TEST_F(Groups, FailATaskWhenOneDiesAndGoOnWithoutIt) {
  const Task first = long_task(0);
  const AgentProcess group = group_at_work(first);
  ASSERT_FALSE(HasFailure());
  ::kill(process_of(1), SIGKILL);
  ASSERT_TRUE(result_of(first)) << said_by("gold-1");
  EXPECT_EQ(result_of(first)->end, TaskEnd::Failed);
  EXPECT_TRUE(contains(result_of(first)->message, "gone")) << result_of(first)->message;
  Task again = short_task(0);
  again.id.attempt = 1;
  desk_.give("gold-1", again);
  ASSERT_TRUE(result_of(again)) << said_by("gold-1");
  EXPECT_EQ(result_of(again)->end, TaskEnd::Finished) << result_of(again)->message;
  EXPECT_TRUE(contains(said_by("gold-1"), "the group is now 1 of 2")) << said_by("gold-1");
}

TEST_F(Groups, FailATaskWhenOneIsAskedToStopAndGoOnWithoutIt) {
  const Task first = long_task(0);
  const AgentProcess group = group_at_work(first);
  ASSERT_FALSE(HasFailure());
  ::kill(process_of(1), SIGTERM);
  const auto asked = std::chrono::steady_clock::now();
  ASSERT_TRUE(result_of(first)) << said_by("gold-1");
  EXPECT_EQ(result_of(first)->end, TaskEnd::Failed);
  EXPECT_TRUE(contains(result_of(first)->message, "asked to stop")) << result_of(first)->message;
  EXPECT_TRUE(contains(result_of(first)->energy.source, "2 processes on 1 machine"))
      << result_of(first)->energy.source;
  Task again = short_task(0);
  again.id.attempt = 1;
  desk_.give("gold-1", again);
  ASSERT_TRUE(result_of(again)) << said_by("gold-1");
  EXPECT_LT(std::chrono::steady_clock::now() - asked, kStepPatience);
  EXPECT_EQ(result_of(again)->end, TaskEnd::Finished) << result_of(again)->message;
  EXPECT_TRUE(contains(said_by("gold-1"), "rank 1 leaves")) << said_by("gold-1");
  EXPECT_TRUE(contains(said_by("gold-1"), "the group is now 1 of 2")) << said_by("gold-1");
}

TEST_F(Groups, EndSoonAndLeaveNothingWhenAllAreAskedToStop) {
  AgentProcess group = group_at_work(long_task(0));
  ASSERT_FALSE(HasFailure());
  const std::vector<pid_t> ranks{process_of(0), process_of(1)};
  const auto asked = std::chrono::steady_clock::now();
  for (const pid_t rank : ranks) ::kill(rank, SIGTERM);
  EXPECT_EQ(exit_code_of(group), 0) << said_by("gold-1");
  EXPECT_LT(std::chrono::steady_clock::now() - asked, kSoon);
  EXPECT_FALSE(is_anything_left());
}

// Unless it is told so, it kills those that take longer than a second.
TEST_F(Groups, LeaveNothingWhenTheirLauncherIsAskedToStop) {
  const AgentProcess group = start_group(2, {{"--mca", "odls_base_sigkill_timeout", "15"}, {}});
  const Task work = task(0);
  desk_.give("gold-1", work);
  ASSERT_TRUE(result_of(work)) << said_by("gold-1");
  group.ask_to_end();
  EXPECT_TRUE(comes_true([&] { return all_are_gone(); }));
  EXPECT_FALSE(is_anything_left());
}

TEST_F(Groups, CanBeStoppedBeforeTheyHaveMet) {
  for (const int rank : {0, 1}) {
    const std::string over = "over-" + std::to_string(rank);
    AgentProcess group = start_half_a_group(rank, over);
    // A follower shows nobody that it waits.
    ASSERT_TRUE(comes_true([&] {
      return is_ready_to_stop(process_of(rank)) && (rank == 1 || !meeting().empty());
    })) << said_by("gold-1");
    ::kill(process_of(rank), SIGTERM);
    EXPECT_TRUE(comes_true([&] { return process_of(rank) < 0; }, kSoon)) << rank;
    EXPECT_FALSE(is_anything_left());
    folder_.write(over, "");
    EXPECT_EQ(exit_code_of(group), 0) << rank << ": " << said_by("gold-1");
  }
}

// It told of the first epoch, and never of the second.
TEST_F(Groups, CountNobodysEnergyInPart) {
  const Task work = long_task(0);
  const AgentProcess group = group_at_work(work, 2);
  ASSERT_FALSE(HasFailure());
  ::kill(process_of(1), SIGKILL);
  ASSERT_TRUE(result_of(work)) << said_by("gold-1");
  EXPECT_EQ(result_of(work)->end, TaskEnd::Failed);
  const std::string source = result_of(work)->energy.source;
  EXPECT_TRUE(contains(source, "1 of 2 processes")) << source;
}

TEST_F(Groups, CountNoEnergyForATaskThatTheyDoNotBegin) {
  const Task first = short_task(0);
  Task other = short_task(1);
  other.network =
      put(model_bytes(fresh_network(build_network("vgg11", {0.05, 4, {1, 28, 28}}), 1)));
  const AgentProcess group = start_group(2);
  for (const Task& one : {first, other}) {
    desk_.give("gold-1", one);
    ASSERT_TRUE(result_of(one)) << said_by("gold-1");
  }
  EXPECT_TRUE(contains(result_of(first)->energy.source, "2 processes on"));
  EXPECT_EQ(result_of(other)->end, TaskEnd::Refused) << result_of(other)->message;
  EXPECT_FALSE(contains(result_of(other)->energy.source, "processes"))
      << result_of(other)->energy.source;
}

TEST_F(Groups, WaitOnceInTheEndHoweverManyAreFrozen) {
  const AgentProcess group = start_group(4, {{"--enable-recovery"}, {}});
  ASSERT_TRUE(comes_true([&] { return contains(said_by("gold-1"), "a group of 4 processes"); }));
  ASSERT_TRUE(comes_true([&] { return desk_.is_alive("gold-1"); }));
  for (const int rank : {1, 2, 3}) ::kill(process_of(rank), SIGSTOP);
  const pid_t leader = process_of(0);
  const auto asked = std::chrono::steady_clock::now();
  ::kill(leader, SIGTERM);
  EXPECT_TRUE(comes_true([&] { return process_of(0) != leader; }));
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(14)) << "5 s";
}

TEST_F(Groups, WaitOnceForOneThatIsFrozenAndTakeItBackWhenItThaws) {
  const Task first = long_task(0);
  const AgentProcess group = group_at_work(first);
  ASSERT_FALSE(HasFailure());
  const pid_t follower = process_of(1);
  ::kill(follower, SIGSTOP);
  const auto frozen = std::chrono::steady_clock::now();
  ASSERT_TRUE(result_of(first)) << said_by("gold-1");
  EXPECT_EQ(result_of(first)->end, TaskEnd::Failed);
  EXPECT_TRUE(contains(result_of(first)->energy.source, "1 of 2 processes"))
      << result_of(first)->energy.source;
  EXPECT_GT(std::chrono::steady_clock::now() - frozen, kStepPatience - std::chrono::seconds(2));
  const auto failed = std::chrono::steady_clock::now();
  for (const int epoch : {1, 2}) {
    const Task next = short_task(epoch);
    desk_.give("gold-1", next);
    ASSERT_TRUE(result_of(next)) << said_by("gold-1");
    EXPECT_EQ(result_of(next)->end, TaskEnd::Finished) << result_of(next)->message;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - failed, kStepPatience);
  EXPECT_TRUE(contains(said_by("gold-1"), "the group is now 1 of 2")) << said_by("gold-1");

  ::kill(follower, SIGCONT);
  const auto thawed = std::chrono::steady_clock::now();
  int epoch = 2;
  EXPECT_TRUE(comes_true([&] {
    const Task next = short_task(++epoch);
    desk_.give("gold-1", next);
    return contains(result_of(next).value_or(TaskResult{}).energy.source, "2 processes on");
  })) << said_by("gold-1");
  EXPECT_LT(std::chrono::steady_clock::now() - thawed, kStepPatience);
  EXPECT_TRUE(contains(said_by("gold-1"), "the group is now 2 of 2")) << said_by("gold-1");
}

TEST_F(Groups, SurviveOrdersThatMakeNoSense) {
  AgentProcess group = start_group(2);
  ASSERT_TRUE(comes_true([&] { return contains(said_by("gold-1"), "a group of 2 processes"); }));
  {
    MeetingFolder onlooker(meeting(), kOnlooker, std::chrono::seconds(1));
    onlooker.put("latest", "99999999999999999999");
    onlooker.put("order/1", "nonsense");
    onlooker.put("order/2", std::string(200, '\xff'));
  }
  ASSERT_TRUE(comes_true([&] {
    const std::string said = said_by("gold-1");
    return said.find("makes no sense") != said.rfind("makes no sense");
  })) << said_by("gold-1");
  // The leader knows nothing of these: it is left out until it meets them at the third.
  int epoch = 0;
  EXPECT_TRUE(comes_true([&] {
    const Task next = task(++epoch);
    desk_.give("gold-1", next);
    return contains(result_of(next).value_or(TaskResult{}).energy.source, "2 processes on");
  })) << said_by("gold-1");
}

TEST_F(Groups, MeetAtAnAddressAsWell) {
  struct Case {
    std::string host;
    bool is_loopback;
  };
  int epoch = 0;
  // By the second one, too, this machine reaches itself.
  for (const auto& [host, is_loopback] : {Case{"localhost", true}, Case{"0.0.0.0", false}}) {
    const Task work = task(epoch++, {.local_epochs = 2});
    desk_.give("gold-1", work);
    const std::string where = host + ":" + std::to_string(some_free_port());
    AgentProcess group = start_group(2, {{}, {"--group", where}});
    ASSERT_TRUE(result_of(work)) << said_by("gold-1");
    EXPECT_EQ(result_of(work)->end, TaskEnd::Finished) << result_of(work)->message;
    EXPECT_TRUE(contains(result_of(work)->energy.source, "2 processes on 1 machine"))
        << result_of(work)->energy.source;
    EXPECT_EQ(meeting().empty(), !is_loopback) << where;
    EXPECT_EQ(doors_of(process_of(0)).empty(), is_loopback) << where;
    desk_.give("gold-1", Dismissal{"that was all"});
    EXPECT_EQ(exit_code_of(group), 0) << said_by("gold-1");
  }
}

class OtherLaunchers : public NodeSite {
 protected:
  // Started by these words, before those of the node.
  void expect_one_node_of_two(std::vector<std::string> words) {
    const Task work = task(0, {.local_epochs = 2});
    desk_.give("gold-1", work);
    desk_.give("gold-1", Dismissal{"that was all"});
    for (std::string& word : words_for("gold-1", {"--group", "auto"})) words.push_back(word);
    AgentProcess job({words, log_of("gold-1")});
    EXPECT_EQ(exit_code_of(job), 0) << said_by("gold-1");
    EXPECT_TRUE(contains(said_by("gold-1"), "a group of 2 processes")) << said_by("gold-1");
    ASSERT_TRUE(result_of(work)) << said_by("gold-1");
    EXPECT_EQ(result_of(work)->end, TaskEnd::Finished) << result_of(work)->message;
    EXPECT_EQ(desk_.hellos("gold-1").size(), 1U);
  }
};

TEST_F(OtherLaunchers, SlurmStartsAGroupThatTrainsAsOneNode) {
  if (!SlurmCluster::is_possible()) GTEST_SKIP() << "there is no Slurm here, or this is not root";
  const SlurmCluster cluster;
  expect_one_node_of_two({"/usr/bin/srun", "-n", "2", "--mem=0", "--immediate=60"});
  EXPECT_FALSE(HasFailure()) << cluster.log();
}

TEST_F(OtherLaunchers, MpichStartsAGroupThatTrainsAsOneNode) {
  if (!std::filesystem::exists(kMpich)) GTEST_SKIP() << "there is no MPICH here";
  expect_one_node_of_two({kMpich, "-n", "2"});
}

// A process of the script's own would be another parent for each rank.
TEST_F(OtherLaunchers, MpichStartsAGroupThroughAScriptThatEndsWithExec) {
  if (!std::filesystem::exists(kMpich)) GTEST_SKIP() << "there is no MPICH here";
  folder_.write("script", "#!/bin/sh\n: some preparations\nexec \"$@\"\n");
  std::filesystem::permissions(folder_ / "script", std::filesystem::perms::owner_all);
  expect_one_node_of_two({kMpich, "-n", "2", (folder_ / "script").string()});
}

}  // namespace
}  // namespace espalier
