// SPDX-License-Identifier: Apache-2.0
// What has to be beaten where prunings are predicted.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/examples.h"

namespace espalier {

// How much the loss rose: mean, 0.05 and 0.95 quantile.
struct JumpRange {
  double low = 0;
  double mean = 0;
  double high = 0;
};

// Nothing happens: the loss stays; the range follows from what happened nevertheless. Immutable.
class NothingHappens final : public ChangeEstimator {
 public:
  explicit NothingHappens(std::span<const ChangeExample> seen);
  std::vector<LossRange> after(std::span<const Pruning> changes) const override;

 private:
  JumpRange jump_;
};

// The mean jump of the prunings that took a similar share of the channels. Immutable.
class MeanJump final : public ChangeEstimator {
 public:
  explicit MeanJump(std::span<const ChangeExample> seen);
  std::vector<LossRange> after(std::span<const Pruning> changes) const override;

 private:
  const JumpRange& nearest(int percent) const;

  std::map<int, JumpRange> by_percent_;  // of the channels that were left
};

}  // namespace espalier
