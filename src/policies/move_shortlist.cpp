// SPDX-License-Identifier: Apache-2.0
#include "policies/move_shortlist.h"

#include <algorithm>
#include <array>

namespace espalier {
namespace {

// How much dearer than the best a change may be for some luck and still be looked at.
constexpr float kNearlyBest = 1.03F;
constexpr std::size_t kMostMoves = 64;  // bits

class Corner {
 public:
  Corner(const PolicyMap& map, const PolicyValues& values, std::size_t loss, std::size_t time)
      : map_(map), values_(values), loss_(loss), time_(time) {}

  std::uint64_t nearly_best(std::size_t site) const {
    const auto moves = map_.moves_from(site);
    std::array<LuckValues, kMostMoves> costs;
    LuckValues best = for_all_luck(kNone);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      costs[i] = cost(moves[i]);
      best = lesser(best, costs[i]);
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

  LuckValues cost(const PolicyMap::Move& move) const {
    const PolicyMap::Target& target = map_.targets()[move.target];
    const PolicyMap::JumpKind& kind = map_.jumps()[move.jump];
    const std::size_t begin = time_ + move.time.whole;
    const bool is_late = !target.is_in_time(static_cast<double>(begin));
    if (is_late || (move.jump != 0 && loss_ >= kind.knots)) return for_all_luck(kNone);
    const std::size_t knots = map_.losses().size();
    const LuckValues* value =
        values_.data() + (begin * map_.targets().size() + move.target) * knots;
    if (move.jump == 0) return move.energy + value[loss_];
    LuckValues sum = for_all_luck(move.energy);
    for (std::size_t n = 0; n < kind.each.size(); ++n) {
      const JumpLanding& at = kind.landings[loss_ * kind.each.size() + n];
      sum = sum + (at.low * value[at.cell] + at.high * value[at.cell + 1]);
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
  for (std::size_t t = 0; t <= times_; ++t) {
    for (std::size_t l = 0; l <= losses_; ++l) {
      const Corner corner(map, values, std::min(l * kField, map.losses().size() - 1),
                          std::min(t * kField, map.time_knots() - 1));
      for (std::size_t site = 0; site < sites_; ++site)
        list_around(t, l, site, corner.nearly_best(site));
    }
  }
}

void MoveShortlist::list_around(std::size_t time, std::size_t loss, std::size_t site,
                                std::uint64_t moves) {
  for (std::size_t t = time == 0 ? 0 : time - 1; t <= std::min(time, times_ - 1); ++t) {
    for (std::size_t l = loss == 0 ? 0 : loss - 1; l <= std::min(loss, losses_ - 1); ++l)
      fields_[(t * losses_ + l) * sites_ + site] |= moves;
  }
}

}  // namespace espalier
