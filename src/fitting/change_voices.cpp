// SPDX-License-Identifier: Apache-2.0
#include "fitting/change_voices.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace espalier {
namespace {

double jump_of(const ChangeExample& example) {
  return example.after - example.change.before.back();
}

// Of the channels that are left, how many go.
int percent_gone(const Pruning& change) {
  const double left = std::max(1e-9, 1 - change.from);
  return static_cast<int>(
      std::lround(100 * std::clamp((change.to - change.from) / left, 0.0, 1.0)));
}

// REQUIRES: ascending, not empty.
double quantile(const std::vector<double>& values, double share) {
  const double at = share * static_cast<double>(values.size() - 1);
  const auto before = static_cast<std::size_t>(at);
  const std::size_t after = std::min(before + 1, values.size() - 1);
  return std::lerp(values[before], values[after], at - static_cast<double>(before));
}

JumpRange range_of(std::vector<double> jumps) {
  if (jumps.empty()) return {};
  std::ranges::sort(jumps);
  double sum = 0;
  for (const double jump : jumps) sum += jump;
  return {quantile(jumps, 0.05), sum / static_cast<double>(jumps.size()), quantile(jumps, 0.95)};
}

LossRange after_jump(double loss, const JumpRange& jump) {
  const double mean = std::max(0.0, loss + jump.mean);
  return {std::clamp(loss + jump.low, 0.0, mean), mean, std::max(mean, loss + jump.high)};
}

}  // namespace

NothingHappens::NothingHappens(std::span<const ChangeExample> seen) {
  std::vector<double> jumps;
  for (const ChangeExample& example : seen) jumps.push_back(jump_of(example));
  jump_ = range_of(std::move(jumps));
  jump_.mean = 0;
}

std::vector<LossRange> NothingHappens::after(std::span<const Pruning> changes) const {
  std::vector<LossRange> ranges;
  for (const Pruning& change : changes) ranges.push_back(after_jump(change.before.back(), jump_));
  return ranges;
}

MeanJump::MeanJump(std::span<const ChangeExample> seen) {
  std::map<int, std::vector<double>> jumps;
  for (const ChangeExample& example : seen)
    jumps[percent_gone(example.change)].push_back(jump_of(example));
  for (auto& [percent, group] : jumps) by_percent_[percent] = range_of(std::move(group));
}

const JumpRange& MeanJump::nearest(int percent) const {
  static const JumpRange none;
  if (by_percent_.empty()) return none;
  const auto above = by_percent_.lower_bound(percent);
  if (above == by_percent_.begin()) return above->second;
  const auto below = std::prev(above);
  if (above == by_percent_.end()) return below->second;
  return above->first - percent < percent - below->first ? above->second : below->second;
}

std::vector<LossRange> MeanJump::after(std::span<const Pruning> changes) const {
  std::vector<LossRange> ranges;
  for (const Pruning& change : changes)
    ranges.push_back(after_jump(change.before.back(), nearest(percent_gone(change))));
  return ranges;
}

}  // namespace espalier
