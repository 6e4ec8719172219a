// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/cost_so_far.h"

#include <algorithm>

#include "core/infinite.h"

namespace espalier {
CostSoFar::CostSoFar(const Foresight& foresight, const LossRanges& ranges,
                     const CostWeights& weights, std::size_t buckets)
    : foresight_(foresight),
      ranges_(ranges),
      weights_(weights),
      bucket_count_(buckets),
      stairs_(ranges.placements() * static_cast<std::size_t>(ranges.epochs() + 1)),
      ways_to_(ranges.placements()) {
  for (const Ways::Way& way : foresight.ways().all()) ways_to_[way.to].push_back(&way);
  const State& start = foresight.problem().start();
  steps_.push_back({weights.cost(start.energy.value, start.time.value), start.loss.value});
  stairs_[start.placement.pos()] = {0, 1};
  for (int epoch = 1; epoch <= ranges.epochs(); ++epoch) {
    for (std::size_t p = 0; p < ranges.placements(); ++p) build(epoch, p);
  }
}

void CostSoFar::build(int epoch, std::size_t placement) {
  Stair& stair = stairs_[ranges_.index(epoch, placement)];
  stair.begin = stair.end = steps_.size();
  const LossSpan& range = ranges_.at(epoch, placement);
  if (range.is_empty()) return;
  candidates_.clear();
  for (const Ways::Way* way : ways_to_[placement]) {
    const Stair& before = stairs_[ranges_.index(epoch - 1, way->from)];
    const Jump jump = foresight_.jump(epoch, *way);
    const double cost = weights_.cost(way->energy, way->time);
    for (std::size_t i = before.begin; i < before.end; ++i)
      candidates_.push_back({steps_[i].cost + cost, jump.apply(steps_[i].loss)});
  }
  if (candidates_.empty()) return;
  put_into_buckets(range, epoch, placement);
  stair.end = steps_.size();
}

// Losses before the epoch go in, losses after it come out.
void CostSoFar::put_into_buckets(const LossSpan& range, int epoch, std::size_t placement) {
  double low = kInfinite;
  double high = -kInfinite;
  for (const Step& c : candidates_) {
    low = std::min(low, c.cost);
    high = std::max(high, c.cost);
  }
  const double scale = high > low ? static_cast<double>(bucket_count_) / (high - low) : 0;
  buckets_.assign(bucket_count_, {kInfinite, kInfinite});
  for (const Step& c : candidates_) {
    const auto i = static_cast<std::size_t>((c.cost - low) * scale);
    Step& bucket = buckets_[std::min(i, bucket_count_ - 1)];
    bucket.cost = std::min(bucket.cost, c.cost);
    bucket.loss = std::min(bucket.loss, c.loss);
  }
  double least = kInfinite;
  for (const Step& bucket : buckets_) {
    if (!(bucket.loss < least)) continue;
    least = bucket.loss;
    const double loss = foresight_.train(epoch, placement, bucket.loss);
    if (loss > range.most) continue;
    steps_.push_back({bucket.cost, std::max(loss, range.least)});
    if (loss <= range.least) break;
  }
}

LossSpan CostSoFar::worthwhile(const CostToGo& rest, int epoch, std::size_t placement,
                               double cut) const {
  const Stair& stair = stairs_[ranges_.index(epoch, placement)];
  LossSpan range{kInfinite, -1};
  // Between two steps the cost so far is that of the one below, and the rest is cheapest at its
  // loss.
  for (std::size_t i = stair.begin; i < stair.end; ++i) {
    const double left = cut - steps_[i].cost;
    if (!(rest.at(epoch, placement, steps_[i].loss) < left)) continue;
    const double upper = i > stair.begin ? steps_[i - 1].loss : ranges_.at(epoch, placement).most;
    range.least = std::min(range.least, steps_[i].loss);
    range.most = std::max(range.most, std::min(upper, rest.largest_below(epoch, placement, left)));
  }
  return range;
}

}  // namespace espalier
