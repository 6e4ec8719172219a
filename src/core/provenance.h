// SPDX-License-Identifier: Apache-2.0
// Words and order of Provenance.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "core/meter.h"

namespace espalier {

// "measured", "estimated", "modelled".
std::string_view name_of(Provenance provenance);

// What may be said of a sum: no more than of its weaker part.
Provenance weaker(Provenance a, Provenance b);

// Where joules come from.
struct EnergySource {
  Provenance provenance = Provenance::Modelled;
  std::string source{};
  friend auto operator<=>(const EnergySource&, const EnergySource&) = default;
};
// That of the weaker part; of the first one if they are alike.
EnergySource weaker(const EnergySource& a, const EnergySource& b);
// Of energies that somebody plans with: no meter has seen them.
EnergySource planned_source();
// "measured: RAPL package-0".
std::string text_of(const EnergySource& source);

}  // namespace espalier
