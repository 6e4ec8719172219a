// SPDX-License-Identifier: Apache-2.0
// How a run might go on: who can tell, and what is asked.
#pragma once

#include <span>
#include <vector>

#include "core/loss_range.h"
#include "core/plan.h"

namespace espalier {

// A change to this placement, unless the run is there already, then so many epochs.
struct Leg {
  PlacementId at{};
  int epochs = 0;
};

// One leg after the other, from where the run is now. Never empty.
using Itinerary = std::vector<Leg>;

// The last leg of an itinerary.
struct Imagined {
  // Right after the change that it begins with; the loss before it where there is none.
  LossRange arrival{};
  // After each of its epochs.
  std::vector<LossRange> losses{};
  // How it may go, as many equally likely ways as were asked for: the losses after each epoch.
  std::vector<std::vector<double>> ways{};
};

// Immutable.
class Imagination {
 public:
  virtual ~Imagination() = default;
  // One for each itinerary, all in one go. `course` is what happened so far.
  virtual std::vector<Imagined> imagine(const Plan& course, std::span<const Itinerary> itineraries,
                                        std::size_t ways) const = 0;
};

}  // namespace espalier
