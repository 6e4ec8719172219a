// SPDX-License-Identifier: Apache-2.0
#include "node/core_share.h"

#include <chrono>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kLookAgain{5};
constexpr int kNoPlace = -1;

int try_place(const std::filesystem::path& file) {
  const int place = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (place < 0 || ::flock(place, LOCK_EX | LOCK_NB) == 0) return place;
  ::close(place);
  return kNoPlace;
}

}  // namespace

CoreShare::Place::~Place() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

CoreShare::Place::Place(Place&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, kNoPlace)) {}

CoreShare::CoreShare(std::filesystem::path folder, int places)
    : folder_(std::move(folder)), places_(places) {
  ESPALIER_CHECK(places >= 1);
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
}

int CoreShare::try_all() const {
  for (int i = 0; i < places_; ++i) {
    const int place = try_place(folder_ / ("core-" + std::to_string(i)));
    if (place != kNoPlace) return place;
  }
  return kNoPlace;
}

CoreShare::Place CoreShare::take(Seconds patience, std::stop_token stop) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience.value);
  for (;;) {
    const int place = try_all();
    if (place != kNoPlace) return Place(place);
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= end) return Place(kNoPlace);
    std::this_thread::sleep_for(kLookAgain);
  }
}

}  // namespace espalier
