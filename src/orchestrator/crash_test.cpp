// SPDX-License-Identifier: Apache-2.0
// Killed anywhere, a run ends the same when it is resumed. Some of the moments; all of them are in
// crash_slow_test.cpp.
#include <csignal>
#include <sys/resource.h>

#include "orchestrator/crash_cases.h"

namespace espalier {
namespace {

TEST(KilledRun, EndsTheSameWhenResumed) { EXPECT_GE(kill_and_resume(13), 100U); }

TEST(KilledRun, EndsTheSameWhenKilledAgainAndAgain) {
  const TemporaryFolder folder(fakes::quick_folder());
  std::string undisturbed;
  {
    fakes::RunOfFakes run(folder / "undisturbed");
    run.begin();
    ASSERT_TRUE(fakes::finish_one_by_one(run));
    undisturbed = fakes::outcome_of(run);
  }
  for (int kill = 1; kill <= 12; ++kill) {
    fakes::in_a_process([&] {
      fakes::RunOfFakes run(folder / "killed");
      int writes = 0;
      run.journal().set_hook([&](const char*, std::int64_t) {
        if (++writes == 20 + kill) ::kill(::getpid(), SIGKILL);
      });
      run.begin();
      fakes::finish_one_by_one(run);
    });
  }
  fakes::RunOfFakes again(folder / "killed");
  again.begin();
  ASSERT_TRUE(fakes::finish_one_by_one(again));
  EXPECT_EQ(fakes::outcome_of(again), undisturbed);
}

// The largest file that the process may write stands for the space on the disk.
TEST(FullDisk, EndsTheRunWithAnErrorAndLeavesItResumable) {
  const TemporaryFolder folder(fakes::quick_folder());
  constexpr int kSaidSo = 77;
  const int status = fakes::in_a_process([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    fakes::RunOfFakes run(folder.path());
    run.begin();
    run.turn_until([](const RunState& state) { return state.epoch_number() == 3; });
    const rlimit tight{64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    try {
      fakes::finish_one_by_one(run);
    } catch (const Error& error) {
      ::_exit(error.code() == ErrorCode::RunFailed ? kSaidSo : 1);
    }
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kSaidSo);
  fakes::RunOfFakes again(folder.path());
  again.begin();
  EXPECT_GE(again.state().epochs.size(), 3U);
  ASSERT_TRUE(fakes::finish_one_by_one(again));
  EXPECT_EQ(again.state().end, Ending::Reached);
}

}  // namespace
}  // namespace espalier
