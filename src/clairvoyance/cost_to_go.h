// SPDX-License-Identifier: Apache-2.0
// At least how much is still to be spent, for somebody who knows the luck.
#pragma once

#include <cstddef>
#include <vector>

#include "clairvoyance/cost_weights.h"
#include "clairvoyance/foresight.h"
#include "clairvoyance/loss_ranges.h"

namespace espalier {

// Problem.    For a scalar cost, a weighted sum of energy and time, every epoch and every placement
//             after it: the least cost of reaching the goal's loss from there, as a staircase
//             over the loss. The deadline is ignored.
// Idea.       Epoch by epoch backwards. A step (cost, loss) says "from this loss or below, the rest
//             costs at least this"; each way back says so for the largest loss that it still
//             brings below. Costs fall into buckets; steps that share one become one with the
//             least cost and the largest loss of them.
// Bounds.     Losses and costs are rounded to the safe side. Kept are only steps that matter to
//             losses in the ranges and to plans that cost less than `cut` in all; elsewhere the
//             answers hold as far as such plans are concerned.
// Complexity. O(epochs · ways · buckets).
// Immutable; refers to the foresight.
class CostToGo {
 public:
  // `cut`: of the cost from the beginning of the run.
  CostToGo(const Foresight& foresight, const LossRanges& ranges, const CostWeights& weights,
           double cut, std::size_t buckets);

  const CostWeights& weights() const { return weights_; }
  int epochs() const { return ranges_.epochs(); }

  // From `loss` after `epoch` at `placement`. Where that is too much for the cut: something that
  // with what was spent until there is not below the cut.
  double at(int epoch, std::size_t placement, double loss) const;
  // The largest loss from which the rest may cost less than `limit`; negative if none does.
  double largest_below(int epoch, std::size_t placement, double limit) const;
  // The whole run.
  double from_start() const;

  // The way that looks best at every epoch, until the goal's loss is reached or nothing is left.
  std::vector<PlacementId> best_path() const;

 private:
  struct Candidate {
    double cost;
    double loss;
  };
  struct Stair {
    std::size_t begin = 0;
    std::size_t end = 0;
    double beyond = 0;  // at least so much from any loss above the last step
  };

  std::size_t index(int epoch, std::size_t placement) const {
    return ranges_.index(epoch, placement);
  }
  std::vector<double> spent_until() const;
  void build(int epoch, std::size_t placement);
  void collect(int epoch, std::size_t placement);
  void put_into_buckets(double most_loss, double beyond);
  void find_arrivals(int epoch, std::size_t placement);

  const Foresight& foresight_;
  const LossRanges ranges_;
  const CostWeights weights_;
  const double cut_;
  const std::size_t bucket_count_;
  std::vector<Stair> stairs_;
  std::vector<double> costs_;
  std::vector<double> losses_;
  std::vector<double> arrivals_;  // largest losses to begin the epoch with
  // While building.
  std::vector<Candidate> candidates_;
  struct Bucket {
    double cost;
    double loss;
    double before;  // largest loss in all buckets before
  };
  std::vector<Bucket> buckets_;
};

}  // namespace espalier
