// SPDX-License-Identifier: Apache-2.0
// Who can tell how a run goes on because the traces tell: the truth, where traces are the truth.
#pragma once

#include "outlook/imagination.h"
#include "replay/traced_world.h"

namespace espalier {

// Knows no doubt: all ranges are points, all ways are alike. Immutable.
class TraceImagination final : public Imagination {
 public:
  // Of run number `run`. World and problem must outlive it.
  TraceImagination(const TracedWorld& world, const Problem& problem, std::size_t run)
      : world_(world), problem_(problem), run_(run) {}

  // REQUIRES: every change is one of TracedWorld::within(problem).
  std::vector<Imagined> imagine(const Plan& course, std::span<const Itinerary> itineraries,
                                std::size_t ways) const override;

 private:
  Replay after(const Plan& course) const;

  const TracedWorld& world_;
  const Problem& problem_;
  const std::size_t run_;
};

}  // namespace espalier
