// SPDX-License-Identifier: Apache-2.0
// What the server has done so far, counted for /metrics.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace espalier {

struct TrafficKey {
  std::string route;
  int status = 0;
  friend auto operator<=>(const TrafficKey&, const TrafficKey&) = default;
};

struct TrafficSum {
  std::uint64_t requests = 0;
  double seconds = 0;
};

// Thread-safe.
class Traffic {
 public:
  void count(const TrafficKey& key, double seconds);
  std::map<TrafficKey, TrafficSum> sums() const;

  // Event streams that are open. False if there are `most` already.
  bool open_stream(int most);
  void close_stream();
  int streams() const;

 private:
  mutable std::mutex mutex_;
  std::map<TrafficKey, TrafficSum> sums_;
  int streams_ = 0;
};

}  // namespace espalier
