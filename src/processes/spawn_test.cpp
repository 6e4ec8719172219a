// SPDX-License-Identifier: Apache-2.0
#include "processes/spawn.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

const SpawnOrder kSleep{.words = {"/bin/sleep", "60"}};

SpawnOrder shell(const std::string& command) { return {.words = {"/bin/sh", "-c", command}}; }

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Spawn, TellsHowAProgramEnded) {
  const ProcessFate fate = wait_for_end(spawn(shell("exit 7")));
  EXPECT_EQ(fate.exit_code, 7);
  EXPECT_EQ(fate.words, "ended with exit code 7");
}

TEST(Spawn, TellsWhichSignalKilledAProgram) {
  const pid_t process = spawn(kSleep);
  EXPECT_FALSE(fate_so_far(process).has_value());
  const ProcessFate fate = kill_and_wait(process);
  EXPECT_EQ(fate.exit_code, 128 + SIGKILL);
  EXPECT_EQ(fate.words, "was killed by signal 9");
}

TEST(Spawn, GivesItsFilesInOrderAndNoInput) {
  const TemporaryFolder folder;
  SpawnOrder order = shell("cat; echo said; echo warned >&2");
  order.files = {{.descriptor = STDOUT_FILENO,
                  .path = folder / "log",
                  .flags = O_WRONLY | O_CREAT | O_APPEND,
                  .mode = 0600},
                 {.descriptor = STDERR_FILENO, .ours = STDOUT_FILENO}};
  EXPECT_EQ(wait_for_end(spawn(order)).exit_code, 0);
  EXPECT_EQ(text_of(folder / "log"), "said\nwarned\n");
}

TEST(Spawn, LetsOneThreadDoTheArithmetic) {
  const TemporaryFolder folder;
  ::setenv("OMP_NUM_THREADS", "8", 1);
  SpawnOrder order = shell("echo $OMP_NUM_THREADS $OMP_WAIT_POLICY $HOME");
  order.variables = single_threaded_variables();
  order.files = {{.descriptor = STDOUT_FILENO,
                  .path = folder / "log",
                  .flags = O_WRONLY | O_CREAT,
                  .mode = 0600}};
  wait_for_end(spawn(order));
  ::unsetenv("OMP_NUM_THREADS");
  const char* home = std::getenv("HOME");
  EXPECT_EQ(text_of(folder / "log"),
            std::string("1 passive") + (home != nullptr ? std::string(" ") + home : "") + "\n");
}

TEST(Spawn, MayHaveAGroupOfItsOwn) {
  SpawnOrder order = kSleep;
  order.has_own_group = true;
  const pid_t process = spawn(order);
  EXPECT_EQ(::getpgid(process), process);
  kill_and_wait(process);
  const pid_t other = spawn(kSleep);
  EXPECT_EQ(::getpgid(other), ::getpgrp());
  kill_and_wait(other);
}

TEST(Spawn, SaysWhatCouldNotBeStarted) {
  SpawnOrder order{.words = {"/no/such/program"}};
  order.hint = "look for it";
  try {
    spawn(order);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(std::string(error.what()).find("/no/such/program"), std::string::npos);
    EXPECT_EQ(error.hint(), "look for it");
  }
}

}  // namespace
}  // namespace espalier
