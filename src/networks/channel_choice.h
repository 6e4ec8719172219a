// SPDX-License-Identifier: Apache-2.0
// Which channels stay.
#pragma once

#include <cstdint>
#include <vector>

#include "networks/channel_scores.h"

namespace espalier {

// The channels of each group that stay, in ascending order; groups as in ChannelGroups.
using KeptChannels = std::vector<std::vector<int64_t>>;

// The `channels[group]` best ones of each group; all of a group without scores. Of equals the
// earlier ones; scores that are no numbers are the worst. REQUIRES: no more channels than scores.
KeptChannels choose_channels(const ChannelScores& scores, const std::vector<int64_t>& channels);

}  // namespace espalier
