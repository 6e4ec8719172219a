// SPDX-License-Identifier: Apache-2.0
// A goal in the world of some traces, and everybody's try at it.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/scenario.h"
#include "estimation/learning_forecaster.h"
#include "evidence/contender.h"
#include "outlook/imagination.h"
#include "replay/traced_world.h"
#include "simulation/outlook.h"
#include "simulation/run.h"

namespace espalier {

// Immutable.
class Arena {
 public:
  // `forecaster` learnt from other seeds than those of `rows`; absent: nobody believes estimators.
  // It is borrowed. Throws Error{BadInput} where traces and scenario do not fit.
  Arena(const Scenario& scenario, const std::vector<TraceRow>& rows,
        const LearningForecaster* forecaster);

  std::size_t seed_count() const { return world_.seed_count(); }
  const Problem& problem() const { return problem_; }
  const TracedWorld& world() const { return world_; }

  // What becomes of it with seed number `run`. A best course in hindsight that does not exist is a
  // run without a step.
  RunRecord live(const Contender& who, std::size_t run, std::stop_token stop = {}) const;

  // When the longest course that was traced ends: a later deadline is no other.
  Seconds end_of_traces() const;

 private:
  RunRecord in_hindsight(const Contender& who, std::size_t run, std::stop_token stop) const;
  RunRecord decided(const Contender& who, std::size_t run, std::stop_token stop) const;
  std::unique_ptr<Imagination> imagination_of(const Contender& who, std::size_t run) const;
  ModelId first_model() const;

  Scenario scenario_;
  Problem whole_;
  TracedWorld world_;
  Problem problem_;
  std::vector<int> longest_stays_;
  const LearningForecaster* forecaster_;
};

}  // namespace espalier
