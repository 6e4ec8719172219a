// SPDX-License-Identifier: Apache-2.0
// Imagines with what was learnt from traces, and from the run at hand.
#pragma once

#include <span>
#include <vector>

#include "core/scenario.h"
#include "estimation/learning_forecaster.h"
#include "outlook/imagination.h"

namespace espalier {

// Under what each placement of the problem trains. Throws Error{BadInput} that names the node set
// whose samples and classes the scenario does not tell.
std::vector<Conditions> conditions_of(const Scenario& scenario, const Problem& problem);

// Immutable. Borrows forecaster and problem.
class FittedImagination final : public Imagination {
 public:
  // `conditions` of each placement. Jumps are those of `problem` where the forecaster knows none.
  FittedImagination(const LearningForecaster& forecaster, std::vector<Conditions> conditions,
                    const Problem& problem)
      : forecaster_(forecaster), conditions_(std::move(conditions)), problem_(problem) {}

  std::vector<Imagined> imagine(const Plan& course, std::span<const Itinerary> itineraries,
                                std::size_t ways) const override;

  // The course as its own history, and what it taught.
  History history_of(const Plan& course) const;
  RunCorrection correction_of(const Plan& course) const;

 private:
  double arrival_at(const Step& step, PlacementId from, const History& history) const;
  std::vector<History> histories_of(const Plan& course) const;

  const LearningForecaster& forecaster_;
  std::vector<Conditions> conditions_;
  const Problem& problem_;
};

}  // namespace espalier
