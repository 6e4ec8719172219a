// SPDX-License-Identifier: Apache-2.0
// Another program as one step of a command.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace espalier {

struct ChildOrder {
  std::filesystem::path program{};
  std::vector<std::string> words{};
  std::filesystem::path answer{};  // where its standard output goes
};

// Waits for its end and returns its exit code, 128 and more if a signal ended it. What it says
// beside its answer goes to our standard error. When `stop` is requested, it is interrupted, once,
// and waited for. Throws Error{RunFailed} if it cannot be started.
int run_to_end(const ChildOrder& order, const std::stop_token& stop);

}  // namespace espalier
