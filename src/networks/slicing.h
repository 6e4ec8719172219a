// SPDX-License-Identifier: Apache-2.0
// Cuts a network down to some of its channels.
#pragma once

#include "networks/channel_choice.h"
#include "networks/tensors.h"

namespace espalier {

// A really smaller network: architecture, weights and momentum hold the kept channels only, in
// their old order. REQUIRES: a valid network; for each of its groups at least one kept channel,
// ascending, and all of them where the group cannot be pruned.
Network slice(const Network& network, const KeptChannels& kept);

}  // namespace espalier
