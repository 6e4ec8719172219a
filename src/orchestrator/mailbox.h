// SPDX-License-Identifier: Apache-2.0
// What others want the orchestrator's thread to know.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <variant>
#include <vector>

#include "orchestrator/run_event.h"

namespace espalier {

// A result, and who waits to hear what became of it.
struct ReportedResult {
  NodeName node;
  TaskResult result;
  std::function<void(Receipt)> answer;
};

using Letter = std::variant<RunHappening, ReportedResult>;

// Thread-safe.
class Mailbox {
 public:
  void post(Letter letter);
  // All that is there, in the order of arrival.
  std::vector<Letter> take();
  // Returns when there is something, or after that time.
  void wait(std::chrono::duration<double> at_most);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Letter> letters_;
};

}  // namespace espalier
