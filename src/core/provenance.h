// SPDX-License-Identifier: Apache-2.0
// Words and order of Provenance.
#pragma once

#include <string_view>

#include "core/meter.h"

namespace espalier {

// "measured", "estimated", "modelled".
std::string_view name_of(Provenance provenance);

// What may be said of a sum: no more than of its weaker part.
Provenance weaker(Provenance a, Provenance b);

}  // namespace espalier
