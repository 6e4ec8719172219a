// SPDX-License-Identifier: Apache-2.0
// What the network says of any number of epochs: it forecasts kEpochsAhead of them, reads its own
// mean as if it had come, forecasts the next ones, and so on.
//
// Errors add up on the way. What is unsure at the end of one block stays so in all later ones, and
// what each adds is independent of that: lengths of ranges add up as the legs of right triangles.
// That is a guess, as good as any; calibration (horizons.h) turns it into ranges that come true.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/run_network.h"

namespace espalier {

// One range for each of the next epochs under the same conditions.
using LossesAhead = std::vector<LossRange>;

// Of each history, all in one go. Throws Error{BadInput} where one is empty or holds what is no
// loss.
std::vector<LossesAhead> network_ahead(const RunNetwork& network,
                                       std::span<const History> histories, std::size_t epochs);

}  // namespace espalier
