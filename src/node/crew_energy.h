// SPDX-License-Identifier: Apache-2.0
// What several processes used that train as one node. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/meter.h"

namespace espalier {

// What one of them tells of its part of a task.
struct EnergyPart {
  std::string machine;  // the same for all processes of one machine, and for no others
  EnergyReading reading;
};

// To be told to another process of the same program. Nothing where a text is no part.
std::string text_of(const EnergyPart& part);
std::optional<EnergyPart> energy_part_in(const std::string& text);

// The sum over all machines. Sensors tell of a whole machine: its processes do not count on top of
// them, nor twice. Models tell of one process: they are added. As trustworthy as the weakest part;
// the source says how many of `processes` told theirs, which are `own` and `others`.
EnergyReading energy_of_all(const EnergyPart& own, std::span<const EnergyPart> others,
                            int processes);

}  // namespace espalier
