// SPDX-License-Identifier: Apache-2.0
// What a run has shown of its luck.
#pragma once

#include <array>
#include <cstddef>

#include "core/plan.h"

namespace espalier {

// Values of the hidden luck A for which a policy knows what to do, and something for each of them.
constexpr std::size_t kLuckNodes = 8;
template <class T>
using PerLuck = std::array<T, kLuckNodes>;

// Problem.    A is drawn once for a run and never seen. Each epoch shows σr·A + σe·B: the logarithm
//             of its decrease over the expected one, but for a constant.
// Idea.       A is normal before and after every such observation: two numbers say it all.
// Complexity. O(1) for each epoch. Copyable value; thread-compatible.
class RunBelief {
 public:
  // One more epoch: from `before` to `after`. Epochs that say nothing are skipped: those without a
  // share in A, those that ended at the floor, those after a jump that was random itself.
  void observe(const Problem& problem, const State& before, const State& after);

  double mean() const { return mean_; }
  double variance() const { return variance_; }

  // For functions of A that are linear between the nodes and constant beyond: the mean of the
  // function is Σ weight · value. REQUIRES: nodes rise, or are all equal.
  PerLuck<double> weights(const PerLuck<double>& nodes) const;

 private:
  // `value` = σr·A + σe·B.
  void learn(double value, const NoiseSpec& noise);

  double mean_ = 0;
  double variance_ = 1;
};

}  // namespace espalier
