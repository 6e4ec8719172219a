// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <poll.h>

namespace espalier {

// For whatever should happen soon, on a busy machine as well.
inline constexpr std::chrono::milliseconds kLongEnough{10'000};

inline bool comes(int socket, short event, std::chrono::milliseconds within = kLongEnough) {
  pollfd ready{socket, event, 0};
  return ::poll(&ready, 1, static_cast<int>(within.count())) == 1;
}

}  // namespace espalier
