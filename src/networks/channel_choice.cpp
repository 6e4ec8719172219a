// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace espalier {
namespace {

std::vector<int64_t> all_channels(int64_t count) {
  std::vector<int64_t> channels(static_cast<std::size_t>(count));
  std::iota(channels.begin(), channels.end(), int64_t{0});
  return channels;
}

std::vector<int64_t> best_channels(const std::vector<double>& scores, int64_t count) {
  const auto rank = [&](int64_t channel) {
    const double score = scores[static_cast<std::size_t>(channel)];
    return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
  };
  std::vector<int64_t> channels = all_channels(static_cast<int64_t>(scores.size()));
  std::ranges::stable_sort(channels, std::greater<>{}, rank);
  channels.resize(static_cast<std::size_t>(count));
  std::ranges::sort(channels);
  return channels;
}

}  // namespace

KeptChannels choose_channels(const ChannelScores& scores, const std::vector<int64_t>& channels) {
  ESPALIER_CHECK(scores.size() == channels.size());
  KeptChannels kept;
  for (std::size_t group = 0; group < scores.size(); ++group) {
    kept.push_back(scores[group].empty() ? all_channels(channels[group])
                                         : best_channels(scores[group], channels[group]));
  }
  return kept;
}

}  // namespace espalier
