// SPDX-License-Identifier: Apache-2.0
#include "runner/crash_point.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

namespace espalier {

void set_crash_points(Journal& journal, Checkpoints& checkpoints) {
  const char* wanted = std::getenv("ESPALIER_CRASH_AT");
  if (wanted == nullptr) return;
  const std::string moment = wanted;
  journal.set_hook([moment](const char* when, std::int64_t number) {
    if (moment == when + (":" + std::to_string(number))) ::kill(::getpid(), SIGKILL);
  });
  const auto count = std::make_shared<int>(0);
  checkpoints.set_hook([moment, count] {
    if (moment == "checkpoint:" + std::to_string(++*count)) ::kill(::getpid(), SIGKILL);
  });
}

}  // namespace espalier
