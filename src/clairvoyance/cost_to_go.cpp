// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/cost_to_go.h"

#include <algorithm>
#include <cmath>

#include "core/infinite.h"

namespace espalier {
namespace {

constexpr double kSlack = 1e-12;

double loss_before(const Jump& jump, double arrival) {
  if (jump.add == 0 && jump.scale == 1) return arrival;
  const double loss = jump.largest_before(arrival);
  return loss + kSlack * (std::abs(loss) + std::abs(arrival));
}

}  // namespace

CostToGo::CostToGo(const Foresight& foresight, const LossRanges& ranges, const CostWeights& weights,
                   double cut, std::size_t buckets)
    : foresight_(foresight),
      ranges_(ranges),
      weights_(weights),
      cut_(cut),
      bucket_count_(buckets),
      stairs_(ranges.placements() * static_cast<std::size_t>(ranges.epochs() + 1)) {
  const std::vector<double> spent = spent_until();
  for (std::size_t i = 0; i < stairs_.size(); ++i) {
    // Where nothing worthwhile leads, nothing is cheap enough.
    stairs_[i].beyond = spent[i] < kInfinite ? cut_ - spent[i] : kInfinite;
  }
  for (int epoch = ranges_.epochs(); epoch >= 0; --epoch) {
    for (std::size_t p = 0; p < ranges_.placements(); ++p) build(epoch, p);
  }
}

// The least cost of getting to each placement by each epoch.
std::vector<double> CostToGo::spent_until() const {
  const State& start = foresight_.problem().start();
  std::vector<double> spent(stairs_.size(), kInfinite);
  spent[start.placement.pos()] = weights_.cost(start.energy.value, start.time.value);
  for (int epoch = 1; epoch <= ranges_.epochs(); ++epoch) {
    for (const Ways::Way& way : foresight_.ways().all()) {
      if (ranges_.at(epoch, way.to).is_empty()) continue;
      double& least = spent[index(epoch, way.to)];
      least =
          std::min(least, spent[index(epoch - 1, way.from)] + weights_.cost(way.energy, way.time));
    }
  }
  return spent;
}

void CostToGo::build(int epoch, std::size_t placement) {
  Stair& stair = stairs_[index(epoch, placement)];
  stair.begin = stair.end = costs_.size();
  const LossSpan& range = ranges_.at(epoch, placement);
  if (range.is_empty() || !(stair.beyond > 0)) return;
  collect(epoch, placement);
  if (candidates_.empty()) return;
  put_into_buckets(range.most, stair.beyond);
  stair.end = costs_.size();
  if (epoch > 0) find_arrivals(epoch, placement);
}

// What each way on has to offer to losses that can occur here.
void CostToGo::collect(int epoch, std::size_t placement) {
  const LossSpan& range = ranges_.at(epoch, placement);
  const double beyond = stairs_[index(epoch, placement)].beyond;
  candidates_.clear();
  const double target = foresight_.problem().goal().loss_bound().value;
  if (target >= range.least) candidates_.push_back({0, target});
  if (epoch == ranges_.epochs()) {
    if (epoch == foresight_.epochs() && !foresight_.is_whole())
      candidates_.push_back({0, range.most});
    return;
  }
  for (const Ways::Way& way : foresight_.ways().from(placement)) {
    const Stair& next = stairs_[index(epoch + 1, way.to)];
    const Jump jump = foresight_.jump(epoch + 1, way);
    const double cost = weights_.cost(way.energy, way.time);
    for (std::size_t i = next.begin; i < next.end; ++i) {
      if (costs_[i] + cost > beyond) break;
      const double loss = loss_before(jump, arrivals_[i]);
      if (loss < range.least) continue;
      candidates_.push_back({costs_[i] + cost, loss});
      if (loss >= range.most) break;
    }
  }
}

void CostToGo::put_into_buckets(double most_loss, double beyond) {
  double low = kInfinite;
  double high = -kInfinite;
  double enough = beyond;
  for (const Candidate& c : candidates_) {
    low = std::min(low, c.cost);
    high = std::max(high, c.cost);
    if (c.loss >= most_loss) enough = std::min(enough, c.cost);
  }
  high = std::min(high, enough);
  const double scale = high > low ? static_cast<double>(bucket_count_) / (high - low) : 0;
  const auto bucket_of = [&](double cost) -> Bucket& {
    const auto i = static_cast<std::size_t>((cost - low) * scale);
    return buckets_[std::min(i, bucket_count_ - 1)];
  };
  buckets_.assign(bucket_count_, {kInfinite, -1, -1});
  for (const Candidate& c : candidates_) {
    if (c.cost > high) continue;
    Bucket& bucket = bucket_of(c.cost);
    bucket.loss = std::max(bucket.loss, c.loss);
  }
  double before = -1;
  for (Bucket& bucket : buckets_) {
    bucket.before = before;
    before = std::max(before, bucket.loss);
  }
  for (const Candidate& c : candidates_) {
    if (c.cost > high) continue;
    Bucket& bucket = bucket_of(c.cost);
    if (c.loss > bucket.before) bucket.cost = std::min(bucket.cost, c.cost);
  }
  for (const Bucket& bucket : buckets_) {
    if (bucket.cost == kInfinite) continue;
    costs_.push_back(bucket.cost);
    losses_.push_back(bucket.loss);
  }
}

void CostToGo::find_arrivals(int epoch, std::size_t placement) {
  for (std::size_t i = arrivals_.size(); i < losses_.size(); ++i)
    arrivals_.push_back(foresight_.largest_before(epoch, placement, losses_[i]));
}

double CostToGo::at(int epoch, std::size_t placement, double loss) const {
  const Stair& stair = stairs_[index(epoch, placement)];
  const auto begin = losses_.begin() + static_cast<std::ptrdiff_t>(stair.begin);
  const auto end = losses_.begin() + static_cast<std::ptrdiff_t>(stair.end);
  const auto found = std::lower_bound(begin, end, loss);
  return found == end ? stair.beyond : costs_[static_cast<std::size_t>(found - losses_.begin())];
}

double CostToGo::largest_below(int epoch, std::size_t placement, double limit) const {
  const Stair& stair = stairs_[index(epoch, placement)];
  const auto begin = costs_.begin() + static_cast<std::ptrdiff_t>(stair.begin);
  const auto end = costs_.begin() + static_cast<std::ptrdiff_t>(stair.end);
  const auto found = std::lower_bound(begin, end, limit);
  return found == begin ? -1 : losses_[static_cast<std::size_t>(found - costs_.begin()) - 1];
}

double CostToGo::from_start() const {
  const State& start = foresight_.problem().start();
  return weights_.cost(start.energy.value, start.time.value) +
         at(0, start.placement.pos(), start.loss.value);
}

std::vector<PlacementId> CostToGo::best_path() const {
  const State& start = foresight_.problem().start();
  const double target = foresight_.problem().goal().loss_bound().value;
  std::vector<PlacementId> path;
  std::size_t placement = start.placement.pos();
  double loss = start.loss.value;
  for (int epoch = 1; epoch <= ranges_.epochs() && loss > target; ++epoch) {
    double least = kInfinite;
    const Ways::Way* best = nullptr;
    double best_loss = 0;
    for (const Ways::Way& way : foresight_.ways().from(placement)) {
      if (ranges_.at(epoch, way.to).is_empty()) continue;
      const double next = foresight_.after(epoch, way, loss);
      const double cost = weights_.cost(way.energy, way.time) + at(epoch, way.to, next);
      if (cost >= least) continue;
      least = cost;
      best = &way;
      best_loss = next;
    }
    if (best == nullptr) break;
    placement = best->to;
    loss = best_loss;
    path.push_back({static_cast<std::int32_t>(placement)});
  }
  return path;
}

}  // namespace espalier
