// SPDX-License-Identifier: Apache-2.0
#include "strategies/move_shortlist.h"

#include <algorithm>

namespace espalier {
namespace {

// How much dearer than the best a change may be for some luck and still be looked at.
constexpr float kNearlyBest = 1.03F;
constexpr std::size_t kMostMoves = 64;  // bits
constexpr double kSlack = 1e-6;         // of a time step, as in the sweep

class Corner {
 public:
  Corner(const PolicyMap& map, const PolicyValues& values, std::size_t loss, std::size_t time)
      : map_(map), values_(values), loss_(loss), time_(time) {}

  std::uint64_t nearly_best(std::size_t site) const {
    const auto moves = map_.moves_from(site);
    std::vector<PerLuck<float>> costs;
    PerLuck<float> best;
    best.fill(kNone);
    for (const PolicyMap::Move& move : moves) {
      costs.push_back(cost(move));
      for (std::size_t j = 0; j < kLuckNodes; ++j) best[j] = std::min(best[j], costs.back()[j]);
    }
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      bool is_near = false;
      for (std::size_t j = 0; j < kLuckNodes; ++j)
        is_near = is_near || (costs[i][j] < kNone && costs[i][j] <= kNearlyBest * best[j]);
      mask |= std::uint64_t{is_near} << i;
    }
    return mask;
  }

 private:
  static constexpr float kNone = 1e30F;

  PerLuck<float> cost(const PolicyMap::Move& move) const {
    PerLuck<float> sum;
    sum.fill(kNone);
    const PolicyMap::Target& target = map_.targets()[move.target];
    const std::size_t begin = time_ + move.time.whole;
    if (static_cast<double>(begin) > target.latest + kSlack) return sum;
    const std::size_t knots = map_.losses().size();
    const auto* value = values_.data() + (begin * map_.targets().size() + move.target) * knots;
    const PolicyMap::JumpKind& kind = map_.jumps()[move.jump];
    if (move.jump != 0 && !kind.landings[loss_]) return sum;
    sum.fill(move.energy);
    if (move.jump == 0) {
      for (std::size_t j = 0; j < kLuckNodes; ++j) sum[j] += value[loss_][j];
      return sum;
    }
    for (const JumpLanding::Point& point : kind.landings[loss_]->points()) {
      for (std::size_t j = 0; j < kLuckNodes; ++j)
        sum[j] += point.low * value[point.cell][j] + point.high * value[point.cell + 1][j];
    }
    return sum;
  }

  const PolicyMap& map_;
  const PolicyValues& values_;
  std::size_t loss_;
  std::size_t time_;
};

// With payments that depend on the past, and for more changes than there are bits, all are looked
// at.
bool is_short(const PolicyMap& map) {
  const auto& targets = map.targets();
  return targets.size() <= kMostMoves &&
         std::all_of(targets.begin(), targets.end(),
                     [](const PolicyMap::Target& t) { return t.once_mark == 0; });
}

}  // namespace

MoveShortlist::MoveShortlist(const PolicyMap& map, const PolicyValues& values)
    : sites_(map.sites()),
      losses_((map.losses().size() - 1) / kField + 1),
      times_((map.time_knots() - 1) / kField + 1),
      fields_(times_ * losses_ * sites_, is_short(map) ? 0 : ~std::uint64_t{0}) {
  if (!is_short(map)) return;
  const auto mark = [&](std::size_t time, std::size_t loss, std::size_t site, std::uint64_t mask) {
    if (time < times_ && loss < losses_) fields_[(time * losses_ + loss) * sites_ + site] |= mask;
  };
  for (std::size_t t = 0; t <= times_; ++t) {
    for (std::size_t l = 0; l <= losses_; ++l) {
      const Corner corner(map, values, std::min(l * kField, map.losses().size() - 1),
                          std::min(t * kField, map.time_knots() - 1));
      for (std::size_t site = 0; site < sites_; ++site) {
        const std::uint64_t mask = corner.nearly_best(site);
        mark(t, l, site, mask);
        if (t > 0) mark(t - 1, l, site, mask);
        if (l > 0) mark(t, l - 1, site, mask);
        if (t > 0 && l > 0) mark(t - 1, l - 1, site, mask);
      }
    }
  }
}

}  // namespace espalier
