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

EnergySource weaker(const EnergySource& a, const EnergySource& b) {
  return weaker(a.provenance, b.provenance) == a.provenance ? a : b;
}

EnergySource planned_source() { return {Provenance::Modelled, "the scenario"}; }

std::string text_of(const EnergySource& source) {
  const std::string how(name_of(source.provenance));
  return source.source.empty() ? how : how + ": " + source.source;
}

}  // namespace espalier
