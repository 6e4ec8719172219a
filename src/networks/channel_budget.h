// SPDX-License-Identifier: Apache-2.0
// How many channels each group keeps, and what the network then looks like. No weights involved.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "networks/architecture.h"

namespace espalier {

// How far to prune.
struct PruningRatios {
  // Part of the full network's channels that goes; in [0, 1).
  double ratio = 0;
  // Other ratios for some layers. A layer stands for its whole group (channel_groups.h).
  std::map<std::string, double> of_layer = {};
  // Keep a multiple of this many channels, the nearest; 16 is fast. A group with fewer channels
  // than that stays as it is.
  int64_t round_to = 1;
};

// One number per group of ChannelGroups. Never 0, and never more than there are now. Where the
// network has already been pruned to the ratio or further, it keeps what it has.
// Throws Error{BadInput} if a ratio is out of bounds, if a named layer does not exist or cannot be
// pruned, or if `network` isn't `full` with fewer channels. REQUIRES: both are valid.
std::vector<int64_t> channel_budget(const Architecture& network, const Architecture& full,
                                    const PruningRatios& ratios);

// The network with that many channels in each group. REQUIRES: valid; none is 0, and groups that
// cannot be pruned keep their channels.
Architecture with_channels(const Architecture& network, const std::vector<int64_t>& channels);

// What the full network looks like once pruned.
Architecture pruned_architecture(const Architecture& full, const PruningRatios& ratios);

}  // namespace espalier
