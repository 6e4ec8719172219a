// SPDX-License-Identifier: Apache-2.0
// Who is asked how learning goes on: every estimator as a function from histories to ranges, so
// that all are judged alike, at any horizon.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "estimation/network_forecast.h"
#include "estimation/network_rollout.h"
#include "estimation/power_law_estimator.h"

namespace espalier {

// In the order of their rows in reports. The first two are what has to be beaten.
enum class Voice : std::size_t {
  Naive,       // runs: the last difference goes on; changes: nothing happens
  Rule,        // runs: the power law; changes: the mean jump of prunings like this one
  Network,     // as it was fitted
  Blend,       // of network and rule
  Calibrated,  // the blend, with ranges that come true: what is used
};
inline constexpr std::size_t kVoices = 5;

constexpr std::size_t position_of(Voice voice) { return static_cast<std::size_t>(voice); }

// What each says of one loss.
using Said = std::array<LossRange, kVoices>;

// One range for each of the next epochs, of each history.
using Ahead =
    std::function<std::vector<LossesAhead>(std::span<const History> histories, std::size_t epochs)>;

Ahead naive_voice();
Ahead power_law_voice(const PowerLawExperience& experience);
Ahead network_voice(const Tensors& weights);

}  // namespace espalier
