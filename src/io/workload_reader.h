// SPDX-License-Identifier: Apache-2.0
// Reads `training` and `collect`.
#pragma once

#include <optional>

#include "core/workload.h"
#include "io/names.h"

namespace espalier {

std::optional<TrainingSpec> read_training(const MapReader& top, const Names& names, Report& report);

std::optional<CollectSpec> read_collect(const MapReader& top, const Names& names, Report& report);

}  // namespace espalier
