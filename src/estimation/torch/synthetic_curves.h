// SPDX-License-Identifier: Apache-2.0
// Learning that tests can know all about: power laws with an offset, whose rate and end depend on
// the conditions, under noise.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "estimation/examples.h"
#include "estimation/run_sequence.h"
#include "realisations/rng.h"

namespace espalier::support {

struct CurveStyle {
  int epochs = 40;
  double noise = 0.02;  // deviation of each loss, relative
  double scale = 1;     // all losses are multiplied by it
};

inline RunSequence synthetic_curve(std::uint64_t number, const CurveStyle& style) {
  const CounterRng rng(7);
  constexpr double kPrunes[] = {0, 0.5, 0.75};
  constexpr std::int64_t kSamples[] = {45'000, 5'000, 1'500};
  RunSequence curve;
  curve.now = {kPrunes[number % 3], kSamples[number / 3 % 3], 10};
  const double floor = 0.1 + 0.4 * curve.now.prune;
  const double power = 0.3 + 0.1 * std::log10(static_cast<double>(curve.now.samples)) +
                       0.2 * rng.uniform({number, 1, 0});
  for (int k = 0; k <= style.epochs; ++k) {
    const double loss = floor + (2.3 - floor) * std::pow(k + 1.0, -power);
    const double noise = style.noise * rng.normal({number, 2, static_cast<std::uint64_t>(k)});
    curve.losses.push_back(style.scale * loss * std::exp(k == 0 ? 0 : noise));
  }
  return curve;
}

inline std::vector<RunSequence> synthetic_curves(std::uint64_t first, std::uint64_t count,
                                                 const CurveStyle& style = {}) {
  std::vector<RunSequence> curves;
  for (std::uint64_t i = 0; i < count; ++i) curves.push_back(synthetic_curve(first + i, style));
  return curves;
}

// The loss rises with what is pruned, the more the lower it was.
inline ChangeExample synthetic_change(std::uint64_t number) {
  const CounterRng rng(8);
  const double newest = 0.2 + rng.uniform({number, 1, 0});
  ChangeExample example;
  example.change.from = 0;
  example.change.to = 0.25 + 0.5 * rng.uniform({number, 2, 0});
  for (std::size_t i = 0; i < kLossesBefore; ++i) {
    example.change.before[i] = newest * (1 + 0.05 * static_cast<double>(kLossesBefore - 1 - i));
  }
  const double jump = 2 * example.change.to * example.change.to * (1.5 - newest);
  example.after = newest + jump * std::exp(0.1 * rng.normal({number, 3, 0}));
  return example;
}

inline std::vector<ChangeExample> synthetic_changes(std::uint64_t first, std::uint64_t count) {
  std::vector<ChangeExample> changes;
  for (std::uint64_t i = 0; i < count; ++i) changes.push_back(synthetic_change(first + i));
  return changes;
}

}  // namespace espalier::support
