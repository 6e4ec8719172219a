// SPDX-License-Identifier: Apache-2.0
#include "strategies/grid_policy.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/error.h"

namespace espalier {
namespace {

constexpr double kSlack = 1e-6;  // of a time step, as in the sweep

}  // namespace

std::optional<PlacementId> GridPolicy::choose(const State& now, const RunBelief& belief) const {
  const PerLuck<double> exact = belief.weights(map_->luck());
  Weights weights;
  for (std::size_t j = 0; j < kLuckNodes; ++j) weights[j] = static_cast<float>(exact[j]);
  return best(now, weights);
}

std::optional<PlacementId> GridPolicy::choose(const State& now, std::size_t luck_node) const {
  Weights weights{};
  weights[luck_node] = 1;
  return best(now, weights);
}

std::optional<PlacementId> GridPolicy::best(const State& now, const Weights& weights) const {
  std::optional<PlacementId> best;
  double least = miss_;
  const double time = std::max(0.0, map_->in_steps(now.time));
  std::optional<JumpLanding> landing;
  const PolicyMap::JumpKind* jump = nullptr;
  const std::size_t site = map_->site_of(now.placement);
  const std::size_t knot = std::min(static_cast<std::size_t>(time), map_->time_knots() - 1);
  std::uint64_t shortlist = shortlist_.near(site, map_->losses().find(now.loss.value).cell, knot);
  for (const PolicyMap::Move& move : map_->moves_from(site)) {
    const bool is_listed = (shortlist & 1U) != 0;
    shortlist = std::rotr(shortlist, 1);
    if (!is_listed) continue;
    const PolicyMap::Target& target = map_->targets()[move.target];
    const double begin = time + static_cast<double>(move.time.whole) + move.time.share;
    if (begin > target.latest + kSlack) continue;
    if (jump != &map_->jumps()[move.jump]) {
      jump = &map_->jumps()[move.jump];
      landing.emplace(map_->losses(), jump->each, now.loss.value);
    }
    if (map_->is_too_high(jump->jump, now.loss.value)) continue;
    const bool is_paid = (now.paid & target.once_mark) == target.once_mark;
    const double total = move.energy + (is_paid ? 0 : target.once.value) +
                         value(move.target, begin, *landing, weights);
    if (!(total < least)) continue;
    least = total;
    best = target.placement;
  }
  return best;
}

double GridPolicy::value(std::size_t target, double time, const JumpLanding& landing,
                         const Weights& weights) const {
  const std::size_t knots = map_->losses().size();
  const std::size_t stride = map_->targets().size() * knots;
  const auto knot = static_cast<std::size_t>(time);
  const PerLuck<float>* a = values_.data() + knot * stride + target * knots;
  const bool is_last = static_cast<double>(knot + 1) > map_->targets()[target].latest + kSlack;
  const PerLuck<float>* b = is_last ? a : a + stride;
  const auto share = static_cast<float>(time - static_cast<double>(knot));
  PerLuck<float> mean{};
  for (const JumpLanding::Point& at : landing.points()) {
    const PerLuck<float>& a0 = a[at.cell];
    const PerLuck<float>& a1 = a[at.cell + 1];
    const PerLuck<float>& b0 = b[at.cell];
    const PerLuck<float>& b1 = b[at.cell + 1];
    for (std::size_t j = 0; j < kLuckNodes; ++j) {
      const float low = a0[j] + share * (b0[j] - a0[j]);
      const float high = a1[j] + share * (b1[j] - a1[j]);
      mean[j] += at.low * low + at.high * high;
    }
  }
  // Halves first: quicker than one after the other.
  std::array<float, kLuckNodes / 2> halves;
  for (std::size_t j = 0; j < halves.size(); ++j)
    halves[j] = weights[j] * mean[j] + weights[j + halves.size()] * mean[j + halves.size()];
  return (halves[0] + halves[2]) + (halves[1] + halves[3]);
}

GridPolicy GridPolicy::between(const GridPolicy& a, const GridPolicy& b, double share) {
  ESPALIER_CHECK(a.map_ == b.map_);
  PolicyValues values = a.values_;
  const auto s = static_cast<float>(share);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < kLuckNodes; ++j)
      values[i][j] += s * (b.values_[i][j] - values[i][j]);
  }
  return {a.map_, a.miss_ + share * (b.miss_ - a.miss_), std::move(values)};
}

std::int64_t GridPolicy::bytes() const {
  return static_cast<std::int64_t>(values_.size() * sizeof(PerLuck<float>)) + map_->bytes();
}

}  // namespace espalier
