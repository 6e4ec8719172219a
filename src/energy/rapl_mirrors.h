// SPDX-License-Identifier: Apache-2.0
// Dies of one package that all show the counter of the whole package.
#pragma once

#include "energy/rapl_zones.h"

namespace espalier {

// Some AMD processors of several dies list package-0-die-0, package-0-die-1, …, each of which is
// the same counter; their sum would be a multiple of the truth. On Intel's each die has a counter
// of its own. They are told apart by reading: a die whose count lies between two readings of its
// sibling, taken before and after, is the sibling's mirror. Mirrors move to `ignored`.
RaplZones without_mirrors(RaplZones zones);

}  // namespace espalier
