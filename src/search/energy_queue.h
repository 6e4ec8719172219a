// SPDX-License-Identifier: Apache-2.0
// A priority queue for labels whose energies never fall below the last one taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace espalier {

// Problem.   Millions of labels in order of energy; one heap of all of them misses the cache.
// Idea.      Buckets of equal width. Only the current one is a heap, later ones are mere lists.
// Invariant. Nothing is pushed below the energy last popped.
class EnergyQueue {
 public:
  struct Entry {
    double energy;
    std::int32_t label;
    friend bool operator>(const Entry& a, const Entry& b) {
      return a.energy != b.energy ? a.energy > b.energy : a.label > b.label;
    }
  };

  // For energies from `low` on; most of them up to `high`.
  void reset(double low, double high) {
    constexpr std::size_t kBuckets = 4096;
    for (std::vector<Entry>& bucket : buckets_) bucket.clear();
    buckets_.resize(kBuckets);
    low_ = low;
    per_joule_ = high > low && high - low < 1e300 ? (kBuckets - 1) / (high - low) : 0;
    current_ = 0;
    size_ = 0;
  }

  bool empty() const { return size_ == 0; }

  void push(Entry entry) {
    const double at = (entry.energy - low_) * per_joule_;
    const std::size_t last = buckets_.size() - 1;
    const std::size_t i =
        at < static_cast<double>(last) ? std::max(current_, static_cast<std::size_t>(at)) : last;
    buckets_[i].push_back(entry);
    if (i == current_) std::push_heap(buckets_[i].begin(), buckets_[i].end(), std::greater<>());
    ++size_;
  }

  // The one to be popped next. REQUIRES: !empty().
  Entry top() {
    while (buckets_[current_].empty()) {
      ++current_;
      std::make_heap(buckets_[current_].begin(), buckets_[current_].end(), std::greater<>());
    }
    return buckets_[current_].front();
  }

  // REQUIRES: !empty().
  Entry pop() {
    top();
    std::vector<Entry>& bucket = buckets_[current_];
    std::pop_heap(bucket.begin(), bucket.end(), std::greater<>());
    const Entry entry = bucket.back();
    bucket.pop_back();
    --size_;
    return entry;
  }

 private:
  std::vector<std::vector<Entry>> buckets_;
  double low_ = 0;
  double per_joule_ = 0;
  std::size_t current_ = 0;
  std::size_t size_ = 0;
};

}  // namespace espalier
