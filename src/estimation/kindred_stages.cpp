// SPDX-License-Identifier: Apache-2.0
#include "estimation/kindred_stages.h"

#include <algorithm>
#include <utility>

#include "core/portable_math.h"
#include "estimation/kinship.h"
#include "estimation/normal95.h"

namespace espalier {

Lasting lasting_at(const LastingAhead& lasting, std::size_t epochs) {
  const auto [before, after, share] = between_horizons(epochs);
  const Lasting& near = lasting[before];
  const Lasting& far = lasting[after];
  return {(1 - share) * near.share + share * far.share,
          (1 - share) * near.deviation + share * far.deviation};
}

StageBeginning beginning_of(const History& history) {
  StageBeginning beginning{.now = history.now, .before = history.before};
  if (history.stage > 0) beginning.loss = log_loss(history.losses[history.stage - 1]);
  beginning.epochs = portable_log(1 + static_cast<double>(history.stage));
  return beginning;
}

std::optional<LossesAhead> KindredEstimator::ahead(const History& history,
                                                   std::size_t epochs) const {
  const StageBeginning beginning = beginning_of(history);
  const KinshipScales* scales = &experience_.near;
  Kin kin = kin_of(beginning, experience_.stages, *scales);
  if (!is_enough(kin)) {
    scales = &experience_.far;
    kin = kin_of(beginning, experience_.stages, *scales);
  }
  if (kin.empty()) return std::nullopt;
  kin = leaned(std::move(kin), beginning, *scales);
  const std::size_t age = history.losses.size() - 1 - history.stage;
  const std::vector<double> curve = mean_curve(kin, age + epochs + 1);
  Deviation deviation;
  for (std::size_t i = 0; i <= age; ++i)
    deviation.add(log_loss(history.losses[history.stage + i]) - curve[i]);
  const LastingAhead& lasting = experience_.lasting[age_group(age)];
  LossesAhead ranges;
  double least = history.losses.back();
  for (std::size_t i = 1; i <= epochs; ++i) {
    const auto [share, spread] = lasting_at(lasting, i);
    const double loss = curve[age + i] + share * deviation.value();
    least = std::min(least, portable_exp(loss));
    const double reach = portable_exp(kNormal95 * spread);
    ranges.push_back({least / reach, least, least * reach});
  }
  return ranges;
}

}  // namespace espalier
