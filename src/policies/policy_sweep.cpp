// SPDX-License-Identifier: Apache-2.0
#include "policies/policy_sweep.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

using Value = LuckValues;

Value all(float value) { return for_all_luck(value); }

// Epochs that take less than this share of a time step and change nothing never end.
constexpr float kNoTime = 1e-6F;

class Sweep {
 public:
  Sweep(const PolicyMap& map, double miss)
      : map_(map),
        miss_(static_cast<float>(miss)),
        knots_(map.losses().size()),
        times_(map.time_knots()),
        values_(times_ * map.targets().size() * knots_),
        later_(knots_) {
    std::uint32_t longest = 0;
    for (const auto& target : map.targets()) longest = std::max(longest, target.time.whole);
    ring_ = std::min<std::size_t>(longest + 2, times_);
    standing_.assign(ring_ * map.sites() * knots_, all(miss_));
  }

  PolicyValues run(const std::stop_token& stop) {
    for (std::size_t time = times_; time-- > 0 && !stop.stop_requested();) {
      for (std::size_t k = 0; k < map_.targets().size(); ++k) train(k, time);
      for (std::size_t site = 0; site < map_.sites(); ++site) change(site, time);
    }
    return std::move(values_);
  }

 private:
  using Target = PolicyMap::Target;
  using Move = PolicyMap::Move;

  // Of beginning an epoch at target k.
  Value* beginning(std::size_t k, std::size_t time) {
    return values_.data() + (time * map_.targets().size() + k) * knots_;
  }
  // Of standing at a site; kept as long as an epoch may take.
  Value* standing(std::size_t site, std::size_t time) {
    return standing_.data() + ((time % ring_) * map_.sites() + site) * knots_;
  }

  void train(std::size_t k, std::size_t time) {
    const Target& target = map_.targets()[k];
    Value* value = beginning(k, time);
    if (!target.is_in_time(static_cast<double>(time))) {
      std::fill_n(value, knots_, all(target.energy + miss_));
    } else if (target.time.whole == 0) {
      train_briefly(target, time, value);
    } else {
      look_ahead(target, time);
      for (std::size_t knot = 0; knot < knots_; ++knot)
        value[knot] = mean_over(target, target.rows[knot], all(target.energy));
    }
  }

  // later_ = the values of standing at the target's site when an epoch that begins now is over.
  void look_ahead(const Target& target, std::size_t time) {
    const std::size_t end = time + target.time.whole;
    const Value* a = standing(target.site, std::min(end, times_ - 1));
    if (end + 1 >= times_) {  // the deadline: a miss, whether or not a little time is left
      std::copy_n(a, knots_, later_.begin());
      return;
    }
    const Value* b = standing(target.site, end + 1);
    for (std::size_t knot = 0; knot < knots_; ++knot)
      later_[knot] = mixed(a[knot], b[knot], target.time.share);
  }

  Value mean_over(const Target& target, const PolicyMap::Row& row, Value sum) const {
    const Value* weight = target.weights.data() + row.at;
    const Value* value = later_.data() + row.first;
    for (std::uint32_t i = 0; i < row.count; ++i) sum = sum + weight[i] * value[i];
    return sum;
  }

  // An epoch shorter than a time step ends at this knot or the next. If at this one, it is followed
  // by another at the same placement: deciding anew would lead in circles.
  void train_briefly(const Target& target, std::size_t time, Value* value) {
    const Value* next = time + 1 < times_ ? standing(target.site, time + 1) : nullptr;
    for (std::size_t knot = 0; knot < knots_; ++knot) later_[knot] = next ? next[knot] : all(miss_);
    for (std::size_t knot = 0; knot < knots_; ++knot) value[knot] = brief(target, knot, value);
  }

  // With the values of all lower losses.
  Value brief(const Target& target, std::size_t knot, const Value* value) const {
    const PolicyMap::Row& row = target.rows[knot];
    const float share = target.time.share;
    Value sum = all(target.energy);
    Value stays = all(0);  // weight of the same loss at the same time
    for (std::uint32_t i = 0; i < row.count; ++i) {
      const Value& weight = target.weights[row.at + i];
      const std::size_t to = row.first + i;
      if (to < knot) {
        sum = sum + weight * mixed(value[to], later_[to], share);
      } else {
        sum = sum + weight * (share * later_[to]);
        stays = stays + (1 - share) * weight;
      }
    }
    return repeated(target, sum, stays);
  }

  // sum / (1 − stays): the same epoch again and again until something changes; a miss if it never
  // does.
  Value repeated(const Target& target, const Value& sum, const Value& stays) const {
    PerLuck<double> total;
    for (std::size_t j = 0; j < kLuckNodes; ++j)
      total[j] = 1 - stays[j] > kNoTime ? sum[j] / (1 - stays[j]) : target.energy + miss_;
    return luck_values(total);
  }

  void change(std::size_t site, std::size_t time) {
    Value* best = standing(site, time);
    std::fill_n(best, knots_, all(miss_));
    for (const Move& move : map_.moves_from(site)) {
      const Target& target = map_.targets()[move.target];
      const double begin = static_cast<double>(time + move.time.whole) + move.time.share;
      if (!target.is_in_time(begin)) continue;
      const std::size_t knot = time + move.time.whole;
      const bool is_last = !target.is_in_time(static_cast<double>(knot + 1));
      const Value* a = beginning(move.target, knot);
      const Value* b = is_last ? a : beginning(move.target, knot + 1);
      if (move.jump != 0) {
        jump(move, a, b, best);
      } else if (a == b || move.time.share == 0) {
        for (std::size_t i = 0; i < knots_; ++i) best[i] = lesser(best[i], move.energy + a[i]);
      } else {
        for (std::size_t i = 0; i < knots_; ++i)
          best[i] = lesser(best[i], move.energy + mixed(a[i], b[i], move.time.share));
      }
    }
  }

  void jump(const Move& move, const Value* a, const Value* b, Value* best) {
    for (std::size_t i = 0; i < knots_; ++i) later_[i] = mixed(a[i], b[i], move.time.share);
    const PolicyMap::JumpKind& kind = map_.jumps()[move.jump];
    const JumpLanding* landing = kind.landings.data();
    for (std::size_t i = 0; i < kind.knots; ++i) {
      Value sum = all(move.energy);
      for (std::size_t n = 0; n < kind.each.size(); ++n, ++landing) {
        sum = sum +
              (landing->low * later_[landing->cell] + landing->high * later_[landing->cell + 1]);
      }
      best[i] = lesser(best[i], sum);
    }
  }

  const PolicyMap& map_;
  const float miss_;
  const std::size_t knots_;
  const std::size_t times_;
  std::size_t ring_ = 0;
  PolicyValues values_;
  std::vector<Value> standing_;  // ring of times × site × knot
  std::vector<Value> later_;
};

}  // namespace

PolicyValues sweep_policy(const PolicyMap& map, double miss, const std::stop_token& stop) {
  return Sweep(map, miss).run(stop);
}

}  // namespace espalier
