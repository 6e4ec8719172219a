// SPDX-License-Identifier: Apache-2.0
#include "estimation/network_inputs.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/error.h"

namespace espalier {
namespace {

constexpr double kLeastLogged = 1e-30;
constexpr double kMostSeenLoss = 1e18;  // what 32 bits can square

float log_of(double value) { return static_cast<float>(std::log(std::max(value, kLeastLogged))); }

void check_losses(std::span<const double> losses, const char* where) {
  const auto is_loss = [](double loss) { return std::isfinite(loss) && loss >= 0; };
  const auto bad = std::ranges::find_if_not(losses, is_loss);
  if (bad == losses.end()) return;
  throw Error(ErrorCode::BadInput, std::string(where) + ": a loss is " + std::to_string(*bad),
              "losses are numbers ≥ 0; leave out epochs that went wrong");
}

}  // namespace

std::array<float, kLossInputs> loss_inputs(double level_before, double level) {
  return {static_cast<float>(level - level_before), static_cast<float>(level)};
}

std::array<float, kConditionInputs> condition_inputs(const Conditions& now) {
  return {static_cast<float>(now.prune), log_count(static_cast<double>(now.samples)),
          log_count(now.classes)};
}

std::array<float, kPlaceInputs> place_inputs(const CurvePlace& at, const Conditions& now) {
  const auto [prune, samples, classes] = condition_inputs(now);
  return {prune,
          samples,
          classes,
          log_count(static_cast<double>(at.place - at.stage)),
          log_count(static_cast<double>(at.place)),
          static_cast<float>(at.fall)};
}

std::array<float, kChangeInputs> change_inputs(const Pruning& change) {
  const float newest = log_of(change.before.back());
  const double left = std::max(1 - change.from, 1e-6);
  std::array<float, kChangeInputs> inputs{
      static_cast<float>(change.from), static_cast<float>(change.to),
      static_cast<float>((change.to - change.from) / left), newest,
      static_cast<float>(std::min(change.before.back(), kMostSeenLoss))};
  for (std::size_t i = 0; i + 1 < kLossesBefore; ++i) {
    inputs[5 + i] = log_of(change.before[i]) - newest;
  }
  // What was learnt by heart is lost where the data is new, the more so the less there was of it.
  inputs[9] = change.is_handed_over ? 1.0F : 0.0F;
  inputs[10] = log_count(static_cast<double>(change.samples_before));
  inputs[11] = log_count(static_cast<double>(change.samples_after));
  return inputs;
}

void check_history(const History& history) {
  check_losses(history.losses, "history");
  if (history.stage < history.losses.size()) return;
  throw Error(ErrorCode::BadInput, "history: its stage begins at place " +
                                       std::to_string(history.stage) + " of " +
                                       std::to_string(history.losses.size()) + " losses");
}

void check_change(const Pruning& change) {
  check_losses(change.before, "change");
  if (std::isfinite(change.from) && std::isfinite(change.to)) return;
  throw Error(ErrorCode::BadInput, "change: the pruned shares must be finite");
}

}  // namespace espalier
