// SPDX-License-Identifier: Apache-2.0
// Reads `models`.
#pragma once

#include "core/scenario.h"
#include "io/names.h"

namespace espalier {

void read_model_names(const MapReader& top, NameTable& names, Report& report);

std::vector<ModelSpec> read_models(const MapReader& top, const Names& names, Report& report);

}  // namespace espalier
