// SPDX-License-Identifier: Apache-2.0
// Fits and judges the run estimator: one job for each fold and one for the network that is kept.
// Jobs may be done in any order, and side by side.
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/horizons.h"
#include "estimation/trace_stories.h"
#include "fitting/fit_parts.h"
#include "fitting/fit_result.h"
#include "fitting/fitting_options.h"

namespace espalier {

// Thread-safe for different jobs. Borrows all that it is made of.
class RunFit {
 public:
  // Throws Error{BadInput} that says what is missing where too little can be learnt from.
  RunFit(const TraceStories& traces, const FittingOptions& options, const Fitters& fitters);

  std::size_t jobs() const { return parts_.size(); }
  void do_job(std::size_t job, const FitWatch& watch);

  // REQUIRES: all jobs are done, and none was stopped.
  void tell(FitResult& result);

 private:
  std::size_t folds() const { return parts_.size() - 1; }
  std::vector<RunSequence> sequences_of(const Positions& runs) const;
  PowerLawExperience experience_of(const FitParts& parts) const;
  void judge(std::size_t fold, const std::stop_token& stop);
  void gather_answers();
  HorizonTuning tuning() const;
  EstimatorReport report(const HorizonTuning& tuning) const;

  // What a job leaves behind.
  struct Done {
    FittedNetwork network{};
    AnswersAhead answers{};
  };

  const TraceStories& traces_;
  const FittingOptions& options_;
  const Fitters& fitters_;
  Positions usable_{};
  std::vector<std::optional<std::size_t>> families_{};
  std::vector<FitParts> parts_{};
  std::size_t every_ = 1;
  std::vector<Done> done_{};
  AnswersAhead answers_{};
};

}  // namespace espalier
