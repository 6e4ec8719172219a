// SPDX-License-Identifier: Apache-2.0
// Strong indices: a model id is not a node set id, though both are small integers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace espalier {

// Position of a thing in the list that owns it, in the order of the scenario file.
template <class Thing>
struct Id {
  std::int32_t index = 0;

  constexpr std::size_t pos() const { return static_cast<std::size_t>(index); }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using ModelId = Id<struct ModelThing>;
using NodeSetId = Id<struct NodeSetThing>;
using LevelId = Id<struct LevelThing>;            // within its node set
using DataOptionId = Id<struct DataOptionThing>;  // within its node set
using PlacementId = Id<struct PlacementThing>;

}  // namespace espalier
