// SPDX-License-Identifier: Apache-2.0
#include "http/traffic.h"

namespace espalier {

void Traffic::count(const TrafficKey& key, double seconds) {
  const std::lock_guard lock(mutex_);
  TrafficSum& sum = sums_[key];
  ++sum.requests;
  sum.seconds += seconds;
}

std::map<TrafficKey, TrafficSum> Traffic::sums() const {
  const std::lock_guard lock(mutex_);
  return sums_;
}

bool Traffic::open_stream(int most) {
  const std::lock_guard lock(mutex_);
  if (streams_ >= most) return false;
  ++streams_;
  return true;
}

void Traffic::close_stream() {
  const std::lock_guard lock(mutex_);
  --streams_;
}

int Traffic::streams() const {
  const std::lock_guard lock(mutex_);
  return streams_;
}

}  // namespace espalier
