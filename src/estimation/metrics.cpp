// SPDX-License-Identifier: Apache-2.0
#include "estimation/metrics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/infinite.h"
#include "estimation/masses.h"

namespace espalier {
namespace {

bool is_within(const Judged& one) { return one.said.low <= one.came && one.came <= one.said.high; }

MeanDeviation spread_of_figures(std::span<const Metrics> parts, double Metrics::*figure) {
  double count = 0;
  double sum = 0;
  for (const Metrics& part : parts) {
    if (part.count == 0) continue;
    sum += part.*figure;
    ++count;
  }
  if (count == 0) return {};
  const double mean = sum / count;
  double squares = 0;
  for (const Metrics& part : parts) {
    if (part.count > 0) squares += (part.*figure - mean) * (part.*figure - mean);
  }
  return {mean, count > 1 ? std::sqrt(squares / (count - 1)) : 0};
}

}  // namespace

Metrics measure(std::span<const Judged> judged) {
  Metrics metrics{.count = judged.size()};
  if (judged.empty()) return metrics;
  const double each = 1 / static_cast<double>(judged.size());
  const double runs = static_cast<double>(count_runs(judged));
  const std::vector<double> mass = masses(judged, Average::OverRuns);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Judged& one = judged[i];
    metrics.mae += each * std::abs(one.came - one.said.mean);
    metrics.mil += each * (one.said.high - one.said.low);
    metrics.icp += is_within(one) ? each : 0;
    metrics.run_icp += is_within(one) ? mass[i] / runs : 0;
    metrics.above += one.came > one.said.high ? each : 0;
  }
  return metrics;
}

std::array<Metrics, kEpochsAhead> measure(const JudgedForecasts& judged) {
  std::array<Metrics, kEpochsAhead> metrics;
  for (std::size_t h = 0; h < judged.size(); ++h) metrics[h] = measure(judged[h]);
  return metrics;
}

Metrics relative_to(double range, const Metrics& metrics) {
  ESPALIER_CHECK(range > 0);
  Metrics relative = metrics;
  relative.mae /= range;
  relative.mil /= range;
  return relative;
}

double loss_range(std::span<const RunStory> stories) {
  double lowest = kInfinite;
  double highest = -kInfinite;
  for (const RunStory& story : stories) {
    for (const StoryPoint& point : story.points) {
      if (!point.is_own || point.is_guess) continue;
      lowest = std::min(lowest, point.loss);
      highest = std::max(highest, point.loss);
    }
  }
  return std::max(0.0, highest - lowest);
}

MetricsSpread spread_of(std::span<const Metrics> parts) {
  return {.mae = spread_of_figures(parts, &Metrics::mae),
          .mil = spread_of_figures(parts, &Metrics::mil),
          .icp = spread_of_figures(parts, &Metrics::icp),
          .run_icp = spread_of_figures(parts, &Metrics::run_icp)};
}

}  // namespace espalier
