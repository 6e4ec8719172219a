// SPDX-License-Identifier: Apache-2.0
// Networks that estimate, before they are fitted: random layers, and the scales of the examples.
#pragma once

#include <cstdint>
#include <span>

#include "estimation/fit_tables.h"
#include "estimation/network_weights.h"
#include "networks/tensors.h"

namespace espalier {

// The same seed gives the same bits on every machine. REQUIRES: at least one target.
Tensors fresh_weights(const RunShape& shape, std::span<const RunTable> tables, std::uint64_t seed);
Tensors fresh_weights(const ChangeShape& shape, const ChangeTable& table, std::uint64_t seed);

}  // namespace espalier
