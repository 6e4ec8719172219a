// SPDX-License-Identifier: Apache-2.0
#include "estimation/bounds.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace espalier {
namespace {

// Of the channels that were left.
double pruned_share(const Pruning& change) {
  const double left = 1 - change.from;
  return left > 0 ? std::clamp((change.to - change.from) / left, 0.0, 1.0) : 0;
}

}  // namespace

double promised_loss(const History& history, int epochs_ahead, const EnvelopeOptions& options) {
  ESPALIER_CHECK(history.stage < history.losses.size() && options.head_start >= 1);
  const double now = history.losses.back();
  const double floor = std::min(now, options.floor);
  return floor + (now - floor) * options.head_start / (options.head_start + epochs_ahead);
}

PruningHarm least_harm(std::span<const ChangeExample> seen, double but) {
  std::vector<double> harms;
  for (const ChangeExample& one : seen) {
    const double share = pruned_share(one.change);
    if (share > 0) harms.push_back((one.after - one.change.before.back()) / share);
  }
  if (harms.empty()) return {};
  std::sort(harms.begin(), harms.end());
  const auto place = static_cast<std::size_t>(but * static_cast<double>(harms.size()));
  return {std::max(0.0, harms[std::min(place, harms.size() - 1)])};
}

double promised_loss(const Pruning& change, const PruningHarm& harm) {
  return change.before.back() + harm.per_share * pruned_share(change);
}

}  // namespace espalier
