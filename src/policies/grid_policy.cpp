// SPDX-License-Identifier: Apache-2.0
#include "policies/grid_policy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::size_t kMostJumps = 3;  // that stand for a random one

}  // namespace

std::optional<PlacementId> GridPolicy::choose(const State& now, const RunBelief& belief) const {
  return best(now, luck_values(belief.weights(map_->luck())));
}

std::optional<PlacementId> GridPolicy::choose(const State& now, std::size_t luck_node) const {
  PerLuck<double> weights{};
  weights[luck_node] = 1;
  return best(now, luck_values(weights));
}

std::optional<PlacementId> GridPolicy::best(const State& now, const LuckValues& weights) const {
  std::optional<PlacementId> best;
  double least = miss_;
  const double time = std::max(0.0, map_->in_steps(now.time));
  std::array<JumpLanding, kMostJumps> landings;
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
    if (!target.is_in_time(begin)) continue;
    if (jump != &map_->jumps()[move.jump]) {
      jump = &map_->jumps()[move.jump];
      for (std::size_t n = 0; n < jump->each.size(); ++n)
        landings[n] = landing_of(map_->losses(), jump->each[n], now.loss.value);
    }
    if (map_->is_too_high(jump->jump, now.loss.value)) continue;
    const bool is_paid = (now.paid & target.once_mark) == target.once_mark;
    const double total =
        move.energy + (is_paid ? 0 : target.once.value) +
        value(move.target, begin, std::span(landings).first(jump->each.size()), weights);
    if (!(total < least)) continue;
    least = total;
    best = target.placement;
  }
  return best;
}

double GridPolicy::value(std::size_t target, double time, std::span<const JumpLanding> landings,
                         const LuckValues& weights) const {
  const std::size_t knots = map_->losses().size();
  const std::size_t stride = map_->targets().size() * knots;
  const auto knot = static_cast<std::size_t>(time);
  const LuckValues* a = values_.data() + knot * stride + target * knots;
  const bool is_last = !map_->targets()[target].is_in_time(static_cast<double>(knot + 1));
  const LuckValues* b = is_last ? a : a + stride;
  const auto share = static_cast<float>(time - static_cast<double>(knot));
  LuckValues mean = for_all_luck(0);
  for (const JumpLanding& at : landings) {
    mean = mean + (at.low * mixed(a[at.cell], b[at.cell], share) +
                   at.high * mixed(a[at.cell + 1], b[at.cell + 1], share));
  }
  return sum_of(weights * mean);
}

GridPolicy GridPolicy::between(const GridPolicy& a, const GridPolicy& b, double share) {
  ESPALIER_CHECK(a.map_ == b.map_);
  PolicyValues values = a.values_;
  const auto s = static_cast<float>(share);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = mixed(values[i], b.values_[i], s);
  return {a.map_, a.miss_ + share * (b.miss_ - a.miss_), std::move(values)};
}

std::int64_t GridPolicy::bytes() const {
  return static_cast<std::int64_t>(values_.size() * sizeof(LuckValues)) + map_->bytes();
}

}  // namespace espalier
