// SPDX-License-Identifier: Apache-2.0
// What has to be imagined to know what every placement and every change of models would do.
#pragma once

#include <optional>
#include <vector>

#include "outlook/imagination.h"

namespace espalier {

// Placements that train the same model on the same nodes learn alike: the first one stands for all.
using Representatives = std::vector<PlacementId>;
Representatives representatives(const Problem& problem);

// How to get to each placement from `from` with the fewest changes, `passing` epochs at each one on
// the way; without the last leg's epochs. Nothing where there is no way, or where it stands for
// none.
std::vector<std::optional<Itinerary>> ways_to(const Problem& problem, PlacementId from,
                                              int passing);

// A change of models, and from where to where to imagine it.
struct ModelStep {
  ModelId from{};
  ModelId to{};
  PlacementId at{};  // where it begins
  PlacementId next{};
};

// For each pair of models that can follow each other, one that begins as near as possible.
std::vector<ModelStep> model_steps(const Problem& problem,
                                   const std::vector<std::optional<Itinerary>>& ways);

// All that can be made where the run is.
std::vector<ModelStep> next_steps(const Problem& problem, PlacementId from);

}  // namespace espalier
