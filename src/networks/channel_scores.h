// SPDX-License-Identifier: Apache-2.0
// How much each channel matters. What goes with a channel are all trained values that pruning it
// would drop: see parameter_axes.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/workload.h"
#include "networks/channel_groups.h"
#include "networks/tensors.h"

namespace espalier {

// Gradients of the loss on one batch after another, one tensor per trained parameter; nothing after
// the last batch.
using GradientSource = std::function<std::optional<Tensors>()>;

struct ScoreOptions {
  PruningCriterion criterion = PruningCriterion::GroupL2;
  // For Taylor. Several batches, since their mean says nothing where the network has learned:
  // there the gradients of batches cancel out.
  GradientSource gradients = {};
  // For Random: the same seed gives the same scores on every machine.
  uint64_t seed = 0;
};

// GroupL2: Euclidean norm of all that goes with the channel (Fang et al., 2023). BatchNormScale:
// sum of |scale| in the group's batch norms (Liu et al., 2017). Taylor: (change of the loss to
// first order)², mean over batches (Molchanov et al., 2019). Random: a fair coin, as a yardstick.
//
// One score per channel of each prunable group, in the order of ChannelGroups; the others get none.
using ChannelScores = std::vector<std::vector<double>>;

// REQUIRES: a valid network, and its groups. Throws Error{BadInput} if gradients are missing or of
// another shape, or if BatchNormScale meets a prunable group without batch norm.
ChannelScores score_channels(const Network& network, const ChannelGroups& groups,
                             const ScoreOptions& options);

}  // namespace espalier
