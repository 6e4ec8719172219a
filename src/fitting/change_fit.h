// SPDX-License-Identifier: Apache-2.0
// Fits and judges the change estimator: one job for each fold and one for the network that is kept.
// Jobs may be done in any order, and side by side.
#pragma once

#include <cstddef>
#include <vector>

#include "estimation/trace_stories.h"
#include "fitting/fit_parts.h"
#include "fitting/fit_result.h"
#include "fitting/fitting_options.h"

namespace espalier {

// Thread-safe for different jobs. Borrows all that it is made of.
class ChangeFit {
 public:
  // Without enough prunings there are no jobs, and the report says what is missing.
  ChangeFit(const TraceStories& traces, const FittingOptions& options, const Fitters& fitters);

  std::size_t jobs() const { return parts_.size(); }
  void do_job(std::size_t job, const FitWatch& watch);

  // REQUIRES: all jobs are done, and none was stopped.
  void tell(FitResult& result);

 private:
  std::size_t folds() const { return parts_.size() - 1; }
  std::vector<ChangeExample> examples_of(const Positions& runs) const;
  // Those who validate learn as well.
  void learn_from_all();
  void judge(std::size_t fold);
  void gather_answers();
  EstimatorReport report(const Tuning& tuning) const;

  // What a job leaves behind.
  struct Done {
    FittedNetwork network{};
    Answers answers{};
  };

  const TraceStories& traces_;
  const FittingOptions& options_;
  const Fitters& fitters_;
  Positions usable_{};
  std::vector<std::optional<std::size_t>> families_{};
  std::vector<FitParts> parts_{};
  std::vector<Done> done_{};
  AnswersAhead answers_{};
};

}  // namespace espalier
