// SPDX-License-Identifier: Apache-2.0
// At least how much has been spent, for somebody who knows the luck.
#pragma once

#include <cstddef>
#include <vector>

#include "clairvoyance/cost_to_go.h"
#include "clairvoyance/foresight.h"
#include "clairvoyance/loss_ranges.h"

namespace espalier {

// The mirror image of CostToGo: the least cost of getting to each placement by each epoch with a
// given loss or less, a staircase that falls with the loss. Deadline and goal are ignored. Bounds,
// complexity and lifetime as there.
class CostSoFar {
 public:
  CostSoFar(const Foresight& foresight, const LossRanges& ranges, const CostWeights& weights,
            std::size_t buckets);

  // The losses for which a plan may cost less than `cut` in all.
  LossSpan worthwhile(const CostToGo& rest, int epoch, std::size_t placement, double cut) const;

 private:
  struct Step {
    double cost;
    double loss;  // least with this cost
  };
  struct Stair {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void build(int epoch, std::size_t placement);
  void put_into_buckets(const LossSpan& range, int epoch, std::size_t placement);

  const Foresight& foresight_;
  const LossRanges& ranges_;
  const CostWeights weights_;
  const std::size_t bucket_count_;
  std::vector<Stair> stairs_;
  std::vector<Step> steps_;  // of each stair: costs rise, losses fall
  // While building.
  std::vector<Step> candidates_;
  std::vector<Step> buckets_;
  std::vector<std::vector<const Ways::Way*>> ways_to_;
};

}  // namespace espalier
