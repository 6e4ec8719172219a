// SPDX-License-Identifier: Apache-2.0
// What a reference solver found.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/units.h"

namespace espalier::bench {

enum class Outcome { Optimal, Infeasible, Limit };

struct Solution {
  Outcome outcome = Outcome::Infeasible;
  Joules energy{};
  std::vector<PlacementId> placements;  // of the best plan, one per epoch
  std::int64_t size = 0;                // labels, columns or sequences: what the solver counts
};

}  // namespace espalier::bench
