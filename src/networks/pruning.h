// SPDX-License-Identifier: Apache-2.0
// Structured pruning: whole channels go, and the network is really smaller and faster afterwards.
// Steps that can also be used alone: how many channels stay (channel_budget.h), which ones
// (channel_scores.h, channel_choice.h), letting them stand in for the others (absorption.h), and
// cutting (slicing.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "networks/absorption.h"
#include "networks/channel_budget.h"
#include "networks/channel_scores.h"
#include "networks/cost.h"
#include "networks/tensors.h"

namespace espalier {

struct PruningOptions {
  PruningRatios ratios = {};
  ScoreOptions scores = {};
  // Of the layers' inputs, where channels that stay are to stand in for those that go; must outlive
  // this.
  const InputMoments* moments = nullptr;
};

// The channels of one group, and the cost of the layers that give them.
struct GroupChange {
  std::string name;  // as in ChannelGroup
  int64_t full_channels = 0;
  int64_t channels_before = 0;
  int64_t channels_after = 0;
  Cost before = {};
  Cost after = {};
};

struct PruningReport {
  std::vector<GroupChange> groups;  // the totals are the sums over these
  GroupChange total;
};

// What changes from one network to its pruned version; `full` is what both were pruned from.
// REQUIRES: valid, and the same but for their channels.
PruningReport pruning_report(const Architecture& before, const Architecture& after,
                             const Architecture& full);

struct PruningResult {
  Network network;
  PruningReport report;
};

// Prunes `network` to ratios of `full`, the network before any pruning: with 0.75, a quarter of the
// full network's channels stay, however many were left before. The classifier's outputs stay.
// REQUIRES: a valid network. Throws Error{BadInput} as channel_budget and score_channels do.
PruningResult prune(const Network& network, const Architecture& full,
                    const PruningOptions& options);

}  // namespace espalier
