// SPDX-License-Identifier: Apache-2.0
// Calibration without setting runs aside: every run judges the estimator of the fold that did not
// learn from it (CV+, Barber et al. 2021).
//
// Each run's scores say what its own fold's estimator misses; so they are added to what that
// estimator says now, and the quantile is taken over all runs of all folds. Masses are as in
// conformal.h. The proven bound on misses is twice the nominal one; in practice they are what they
// should be.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "estimation/conformal.h"
#include "estimation/estimators.h"

namespace espalier {

// Immutable.
class CrossConformal {
 public:
  // Of each fold, what its estimator said of the runs that it did not learn from. A run is in one
  // fold only.
  CrossConformal(std::span<const std::vector<Judged>> folds, const ConformalOptions& options = {});

  // From what the estimator of each fold says. REQUIRES: as many as folds.
  LossRange range(std::span<const LossRange> said) const;

  // There are enough runs for a finite range that keeps the promise.
  bool is_guaranteed() const;

 private:
  // Misses of one fold at one end, in ascending order, with the mass up to each.
  struct Side {
    std::vector<double> values;
    std::vector<double> mass_up_to;

    double mass_within(double value) const;
  };
  // Where an end is without any miss, and the unit of misses.
  struct End {
    double at = 0;
    double unit = 1;
  };

  static Side sorted(std::vector<Score> scores);
  bool covers(double value, std::span<const Side> sides, std::span<const End> ends) const;
  // The least value from `inside` on that covers the needed mass; upwards is away from the middle.
  double outermost(double inside, std::span<const Side> sides, std::span<const End> ends) const;

  ConformalOptions options_;
  double needed_ = 0;  // mass
  double mass_ = 0;    // that there is
  std::vector<double> shifts_;
  std::vector<Side> above_;
  std::vector<Side> below_;
};

// The estimators of all folds together, calibrated. Immutable.
class CrossConformalEstimator final : public RunEstimator {
 public:
  using Members = std::vector<std::shared_ptr<const RunEstimator>>;
  using Calibrations = std::vector<CrossConformal>;

  // REQUIRES: one calibration for each epoch ahead, with as many folds as members.
  CrossConformalEstimator(Members members, Calibrations calibrations);

  std::vector<Forecast> forecast(std::span<const History> histories) const override;

 private:
  Members members_;
  Calibrations calibrations_;
};

}  // namespace espalier
