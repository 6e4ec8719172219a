// SPDX-License-Identifier: Apache-2.0
#include "cli/child_program.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "processes/spawn.h"

namespace espalier {
namespace {

constexpr mode_t kAnswerMode = 0644;

SpawnOrder spawn_order(const ChildOrder& order) {
  SpawnOrder spawned{.words = {order.program.string()},
                     .files = {{.descriptor = STDOUT_FILENO,
                                .path = order.answer,
                                .flags = O_WRONLY | O_CREAT | O_TRUNC,
                                .mode = kAnswerMode}},
                     .has_own_group = true};
  spawned.words.insert(spawned.words.end(), order.words.begin(), order.words.end());
  return spawned;
}

}  // namespace

int run_to_end(const ChildOrder& order, const std::stop_token& stop) {
  const pid_t child = spawn(spawn_order(order));
  const std::stop_callback interrupt(stop, [child] { ::kill(child, SIGINT); });
  return wait_for_end(child).exit_code;
}

}  // namespace espalier
