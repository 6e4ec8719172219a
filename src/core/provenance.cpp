// SPDX-License-Identifier: Apache-2.0
#include "core/provenance.h"

#include <algorithm>

namespace espalier {

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::Measured:
      return "measured";
    case Provenance::Estimated:
      return "estimated";
    case Provenance::Modelled:
      return "modelled";
  }
  return "";
}

// The enumerators are listed from strong to weak.
Provenance weaker(Provenance a, Provenance b) { return std::max(a, b); }

}  // namespace espalier
