// SPDX-License-Identifier: Apache-2.0
// Reads `nodes`, `levels` and `data`.
#pragma once

#include "core/scenario.h"
#include "io/names.h"

namespace espalier {

void read_node_set_names(const MapReader& top, NameTable& names, Report& report);

std::vector<NodeSetSpec> read_node_sets(const MapReader& top, const NameTable& names,
                                        Report& report);

}  // namespace espalier
