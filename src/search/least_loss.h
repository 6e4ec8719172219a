// SPDX-License-Identifier: Apache-2.0
// As far down as one can get by the deadline, whatever the energy.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "search/search_graph.h"

namespace espalier {

struct LeastLoss {
  double loss = 0;
  std::vector<PlacementId> path;  // empty: nothing lowers the loss
};

// The lowest loss reachable from `now` by the goal's deadline, and the quickest way there. Labels
// forward in order of time: at a node a later label survives only if its loss is lower. Nothing if
// stopped or beyond `max_labels`.
std::optional<LeastLoss> least_loss(const SearchGraph& graph, const State& now,
                                    std::int64_t max_labels, std::stop_token stop);

}  // namespace espalier
