// SPDX-License-Identifier: Apache-2.0
#include "estimation/network_rollout.h"

#include <algorithm>
#include <cmath>

#include "estimation/curve_lanes.h"

namespace espalier {
namespace {

// How unsure a curve is already where a block begins.
struct Doubt {
  double down = 0;
  double up = 0;
};

LossRange doubted(const LossRange& said, const Doubt& before) {
  const double down = std::hypot(said.mean - said.low, before.down);
  const double up = std::hypot(said.high - said.mean, before.up);
  return {std::max(0.0, said.mean - down), said.mean, said.mean + up};
}

// Appends up to `count` epochs.
void append_block(LossesAhead& ranges, Doubt& doubt, const Forecast& said, std::size_t count) {
  const Doubt before = doubt;
  for (std::size_t i = 0; i < count; ++i) ranges.push_back(doubted(said[i], before));
  doubt = {ranges.back().mean - ranges.back().low, ranges.back().high - ranges.back().mean};
}

// The means of all curves, epoch after epoch.
std::vector<double> means_of(std::span<const Forecast> said) {
  std::vector<double> means;
  means.reserve(said.size() * kEpochsAhead);
  for (std::size_t epoch = 0; epoch < kEpochsAhead; ++epoch) {
    for (const Forecast& one : said) means.push_back(one[epoch].mean);
  }
  return means;
}

}  // namespace

std::vector<LossesAhead> network_ahead(const RunNetwork& network,
                                       std::span<const History> histories, std::size_t epochs) {
  CurveLanes lanes(network, histories);
  std::vector<LossesAhead> ranges(histories.size());
  std::vector<Doubt> doubts(histories.size());
  std::vector<Forecast> said(histories.size());
  for (std::size_t done = 0; done < epochs; done += kEpochsAhead) {
    if (done > 0) lanes.read(means_of(said));
    lanes.forecast(said);
    const std::size_t count = std::min<std::size_t>(kEpochsAhead, epochs - done);
    for (std::size_t i = 0; i < said.size(); ++i) {
      append_block(ranges[i], doubts[i], said[i], count);
    }
  }
  return ranges;
}

}  // namespace espalier
