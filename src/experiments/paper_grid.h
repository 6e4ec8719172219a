// SPDX-License-Identifier: Apache-2.0
// The grid of the paper (section VI-A), for tests: gold, silver and bronze are the node sets 0,
// 1, 2.
#pragma once

#include <string>
#include <vector>

#include "core/workload.h"

namespace espalier {

inline const std::vector<std::string> kPaperNodeSets{"gold", "silver", "bronze"};

inline CollectSpec paper_grid() {
  const NodeSetId gold{0};
  const NodeSetId silver{1};
  const NodeSetId bronze{2};
  return {
      .seeds = {1},
      .sequences = {{gold, silver}, {gold, bronze}, {gold, silver, bronze}, {gold, bronze, silver}},
      .switch_epochs = {{5, 15, 25, 40, 60, 100}},
      .ratios = {{0.5, 0.75}, {0.25, 0.5}},
      .last_epochs = 40};
}

}  // namespace espalier
