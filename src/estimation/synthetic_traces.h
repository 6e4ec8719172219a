// SPDX-License-Identifier: Apache-2.0
// For tests: traces whose law is known.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "estimation/estimators.h"
#include "realisations/rng.h"

namespace espalier {

// loss(k) = (floor + scale·(k + shift)^−power)·e^(noise·normal)
struct CurveLaw {
  double floor = 0.1;
  double scale = 2;
  double shift = 1;
  double power = 0.7;
  double noise = 0;

  double at(double k) const { return floor + scale * std::pow(k + shift, -power); }
};

// Draws the laws of runs, and their losses: the same for the same seed and number.
class CurveSource {
 public:
  explicit CurveSource(std::uint64_t seed, double noise = 0.02) : rng_(seed), noise_(noise) {}

  CurveLaw law(std::uint64_t run) const {
    return {.floor = 0.02 + 0.4 * uniform(run, 0),
            .scale = 1.5 + uniform(run, 1),
            .shift = 1 + 3 * uniform(run, 2),
            .power = 0.4 + 0.8 * uniform(run, 3),
            .noise = noise_};
  }

  // The fresh network's, then one per epoch.
  std::vector<double> losses(std::uint64_t run, int epochs) const {
    return losses(law(run), run, epochs);
  }
  std::vector<double> losses(const CurveLaw& law, std::uint64_t run, int epochs) const {
    std::vector<double> curve;
    for (int k = 0; k <= epochs; ++k) {
      const double luck = rng_.normal({.run = run, .stream = 9, .index = std::uint64_t(k)});
      curve.push_back(law.at(k) * std::exp(law.noise * luck));
    }
    return curve;
  }

  double uniform(std::uint64_t run, std::uint64_t stream) const {
    return rng_.uniform({.run = run, .stream = stream});
  }
  double normal(std::uint64_t run, std::uint64_t index) const {
    return rng_.normal({.run = run, .stream = 10, .index = index});
  }

 private:
  CounterRng rng_;
  double noise_;
};

inline TraceRow trace_row(const std::string& run, int epoch, double loss,
                          TraceEvent event = TraceEvent::Epoch) {
  TraceRow row{.run = run, .epoch = epoch};
  row.loss = {loss};
  row.event = event;
  return row;
}

// A fresh network's start and its epochs.
inline std::vector<TraceRow> fresh_run(const std::string& run, const std::vector<double>& losses) {
  std::vector<TraceRow> rows;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    const TraceEvent event = k == 0 ? TraceEvent::Start : TraceEvent::Epoch;
    rows.push_back(trace_row(run, static_cast<int>(k), losses[k], event));
  }
  return rows;
}

inline History history_of(std::vector<double> losses) {
  return {.losses = std::move(losses), .now = {}};
}

}  // namespace espalier
