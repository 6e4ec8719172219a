// SPDX-License-Identifier: Apache-2.0
#include "http/time_limit.h"

namespace espalier {

TimeLimit::TimeLimit(std::chrono::milliseconds limit)
    : waiter_([this, limit](const std::stop_token& over) {
        std::unique_lock lock(mutex_);
        waiting_.wait_for(lock, over, limit, [] { return false; });
        if (!over.stop_requested()) source_.request_stop();
      }) {}

}  // namespace espalier
