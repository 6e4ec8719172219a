// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/loss_ranges.h"

#include <algorithm>

namespace espalier {

LossRanges::LossRanges(const Foresight& foresight) : placements_(foresight.ways().placements()) {
  for (int epoch = 0; epoch <= foresight.epochs(); ++epoch) {
    for (std::size_t p = 0; p < placements_; ++p) {
      const Foresight::Spot& spot = foresight.spot(epoch, p);
      ranges_.push_back(spot.is_reachable ? LossSpan{spot.least_loss, spot.most_loss} : LossSpan{});
    }
  }
}

void LossRanges::narrow(int epoch, std::size_t placement, const LossSpan& range) {
  LossSpan& now = ranges_[index(epoch, placement)];
  now = {std::max(now.least, range.least), std::min(now.most, range.most)};
}

void LossRanges::trim() {
  const auto is_used = [](const LossSpan& range) { return !range.is_empty(); };
  const auto last = std::find_if(ranges_.rbegin(), ranges_.rend(), is_used);
  const auto used = static_cast<std::size_t>(ranges_.rend() - last);
  const std::size_t epochs = std::max<std::size_t>(1, (used + placements_ - 1) / placements_);
  ranges_.resize(epochs * placements_);
}

}  // namespace espalier
