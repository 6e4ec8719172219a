// SPDX-License-Identifier: Apache-2.0
// Several processes as one node, started by mpirun or by Slurm. Skipped where there is none.
#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "node/node_site.h"
#include "node/slurm_cluster.h"

namespace espalier {
namespace {

constexpr const char* kMpirun = "/usr/bin/mpirun";

class Groups : public NodeSite {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kMpirun)) GTEST_SKIP() << "there is no mpirun here";
    // Open MPI refuses to run as root unless it is told that this is meant.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }

  // `more` are words for mpirun.
  AgentProcess start_group(int size, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{kMpirun, "--oversubscribe", "-np", std::to_string(size)};
    words.insert(words.end(), more.begin(), more.end());
    for (std::string& word : words_for("gold-1", {"--group", "auto"}))
      words.push_back(std::move(word));
    return AgentProcess({words, log_of("gold-1")});
  }

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

TEST_F(Groups, FailATaskWhenOneDiesAndGoOnWithoutIt) {
  const Task first = long_task(0);
  desk_.give("gold-1", first);
  AgentProcess group = start_group(2, {"--enable-recovery"});
  ASSERT_TRUE(comes_true([&] { return is_at("gold-1", first); })) << said_by("gold-1");
  const pid_t follower = process_of(1);
  ASSERT_GT(follower, 0);
  // It trains: killed before that, the leader would do it all alone.
  const double before = seconds_worked(follower);
  ASSERT_TRUE(comes_true([&] { return seconds_worked(follower) > before + 0.5; }));
  ::kill(follower, SIGKILL);
  ASSERT_TRUE(result_of(first)) << said_by("gold-1");
  EXPECT_EQ(result_of(first)->end, TaskEnd::Failed);
  EXPECT_TRUE(contains(result_of(first)->message, "gone")) << result_of(first)->message;
  Task again = task(0);
  again.id.attempt = 1;
  desk_.give("gold-1", again);
  ASSERT_TRUE(result_of(again)) << said_by("gold-1");
  EXPECT_EQ(result_of(again)->end, TaskEnd::Finished) << result_of(again)->message;
  EXPECT_TRUE(contains(said_by("gold-1"), "the group is now 1 of 2")) << said_by("gold-1");
}

TEST_F(NodeSite, TrainsAsAGroupThatSlurmStarts) {
  if (!SlurmCluster::is_possible()) GTEST_SKIP() << "there is no Slurm here, or this is not root";
  const SlurmCluster cluster;
  const Task work = task(0, {.local_epochs = 2});
  desk_.give("gold-1", work);
  desk_.give("gold-1", Dismissal{"that was all"});
  std::vector<std::string> words{"/usr/bin/srun", "-n", "2", "--mem=0", "--immediate=60"};
  for (std::string& word : words_for("gold-1", {"--group", "auto"})) words.push_back(word);
  AgentProcess job({words, log_of("gold-1")});
  EXPECT_EQ(exit_code_of(job), 0) << said_by("gold-1") << cluster.log();
  EXPECT_TRUE(contains(said_by("gold-1"), "a group of 2 processes")) << said_by("gold-1");
  ASSERT_TRUE(result_of(work)) << said_by("gold-1");
  EXPECT_EQ(result_of(work)->end, TaskEnd::Finished) << result_of(work)->message;
  EXPECT_EQ(desk_.hellos("gold-1").size(), 1U);
}

}  // namespace
}  // namespace espalier
