// SPDX-License-Identifier: Apache-2.0
#include "replay/trace_imagination.h"

#include "core/error.h"

namespace espalier {
namespace {

LossRange certain(double loss) { return {loss, loss, loss}; }

// One leg more; tells of this leg alone.
Imagined go(Replay& replay, int epochs) {
  Imagined imagined{.arrival = certain(replay.loss())};
  for (int i = 0; i < epochs; ++i) {
    replay.train();
    imagined.losses.push_back(certain(replay.loss()));
  }
  return imagined;
}

std::vector<double> means_of(const std::vector<LossRange>& ranges) {
  std::vector<double> means;
  for (const LossRange& range : ranges) means.push_back(range.mean);
  return means;
}

}  // namespace

Replay TraceImagination::after(const Plan& course) const {
  Replay replay = world_.begin(run_);
  for (const Step& step : course.steps) {
    ESPALIER_CHECK(world_.change(replay, problem_.training(step.placement).at));
    replay.train();
  }
  return replay;
}

std::vector<Imagined> TraceImagination::imagine(const Plan& course,
                                                std::span<const Itinerary> itineraries,
                                                std::size_t ways) const {
  const Replay now = after(course);
  std::vector<Imagined> all;
  for (const Itinerary& itinerary : itineraries) {
    Replay replay = now;
    Imagined last;
    for (const Leg& leg : itinerary) {
      ESPALIER_CHECK(world_.change(replay, problem_.training(leg.at).at));
      last = go(replay, leg.epochs);
    }
    last.ways.assign(ways, means_of(last.losses));
    all.push_back(std::move(last));
  }
  return all;
}

}  // namespace espalier
