// SPDX-License-Identifier: Apache-2.0
// Reads `learn` and `jump`: how an epoch changes the loss, and how a switch of models does.
#pragma once

#include "core/scenario.h"
#include "io/map_reader.h"

namespace espalier {

LearnSpec read_learn(const Field& field, Report& report);

// The keys jump, jump_noise and jump_robust of a row.
JumpSpec read_jump(const MapReader& row, Report& report);

}  // namespace espalier
