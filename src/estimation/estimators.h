// SPDX-License-Identifier: Apache-2.0
// What is predicted of learning, from what, and by whom.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/loss_range.h"

namespace espalier {

// A forecast looks so many epochs ahead; a change is judged by so many losses before it.
inline constexpr int kEpochsAhead = 5;
inline constexpr int kLossesBefore = 5;

// Under which a network is trained.
struct Conditions {
  double prune = 0;  // share of the full network's channels that is gone
  std::int64_t samples = 0;
  int classes = 0;
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

// A network's losses up to now.
struct History {
  std::vector<double> losses;  // the fresh network's, then one per epoch; never empty
  Conditions now;
  // The place in `losses` at which the present conditions began: the loss right after the last
  // change, or 0.
  std::size_t stage = 0;
};

// For the next epochs under the same conditions.
using Forecast = std::array<LossRange, kEpochsAhead>;

// Predicts how learning goes on.
class RunEstimator {
 public:
  virtual ~RunEstimator() = default;
  // One for each history, all in one go.
  virtual std::vector<Forecast> forecast(std::span<const History> histories) const = 0;
};

// A network is about to be pruned, and perhaps to be handed over to others, who have other data.
struct Pruning {
  double from = 0;  // share of the full network's channels that is gone before and after
  double to = 0;
  // The newest loss last; a shorter history repeats its oldest.
  std::array<double, kLossesBefore> before{};
  bool is_handed_over = false;
  std::int64_t samples_before = 0;
  std::int64_t samples_after = 0;
};

// Predicts the loss right after a change.
class ChangeEstimator {
 public:
  virtual ~ChangeEstimator() = default;
  virtual std::vector<LossRange> after(std::span<const Pruning> changes) const = 0;
};

}  // namespace espalier
