// SPDX-License-Identifier: Apache-2.0
// Everything that was learnt from traces, as one: how runs go on and what changes do, with ranges
// that come true, to any horizon, from the first epoch on. What `fit` writes and planning uses.
//
// A forecast of epochs goes through these hands: network and power law (network_rollout.h,
// power_law_estimator.h), blended by horizon, calibrated (horizons.h), corrected by what the run at
// hand taught (run_correction.h), widened where nothing like it was seen (familiarity.h), and never
// more hopeful than theory allows (bounds.h). A forecast of a change: network, calibrated, widened,
// bounded.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "estimation/bounds.h"
#include "estimation/familiarity.h"
#include "estimation/horizons.h"
#include "estimation/network_forecast.h"
#include "estimation/power_law_estimator.h"
#include "estimation/run_correction.h"
#include "networks/tensors.h"

namespace espalier {

// What was learnt beside the networks' weights.
struct ForecastTuning {
  PowerLawExperience experience{};
  HorizonTuning horizons{};
  Adjustment change{};
  PruningHarm harm{};
  Familiarity seen{};
  UsualCounts usual{};
  double fading = 0.3;  // of luck: ways.h
};

// Parts that can be left out, to see what they are good for.
struct ForecastParts {
  bool network = true;  // otherwise the power law alone
  bool calibration = true;
  bool correction = true;
  bool bounds = true;
};

// Immutable.
class LearningForecaster {
 public:
  // Without weights for changes, none is forecast. Throws Error{BadInput} where weights are not
  // those of such networks.
  LearningForecaster(const Tensors& run, const Tensors& change, ForecastTuning tuning,
                     const ForecastParts& parts = {});

  // One for each history, all in one go.
  std::vector<LossesAhead> ahead(std::span<const History> histories, std::size_t epochs,
                                 const RunCorrection& correction = {}) const;

  bool knows_changes() const { return change_.has_value(); }
  // REQUIRES: knows_changes().
  std::vector<LossRange> after(std::span<const Pruning> changes) const;

  // What a run taught so far: `examples` are histories of it, and what came next. Oldest first.
  RunCorrection correction(std::span<const RunExample> examples) const;

  const ForecastTuning& tuning() const { return tuning_; }

 private:
  std::vector<LossesAhead> uncorrected(std::span<const History> histories,
                                       std::size_t epochs) const;
  void finish(const History& history, LossesAhead& ranges) const;

  NetworkRunEstimator run_;
  std::optional<NetworkChangeEstimator> change_;
  ForecastTuning tuning_;
  PowerLawEstimator power_law_;
  ForecastParts parts_;
};

}  // namespace espalier
