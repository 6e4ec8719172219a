// SPDX-License-Identifier: Apache-2.0
// A scenario whose rules come from a file of fitted estimators: what is believed at its start, and
// after each epoch of a run.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/scenario.h"
#include "estimation/learning_forecaster.h"
#include "outlook/imagined_outlook.h"

namespace espalier {

// The file that the scenario's rules name, as it is written there; nothing if none does. Throws
// Error{BadInput} if they name several.
std::optional<std::filesystem::path> fitted_file_of(const Scenario& scenario);

// Immutable.
class FittedBeliefs {
 public:
  // Of the rules of `scenario` those that name a file of estimators become the estimators'; all of
  // them if none does. Jumps, too, where the file has learnt of prunings. Throws Error{BadInput}
  // where the scenario does not tell under what a placement trains.
  FittedBeliefs(const Scenario& scenario, LearningForecaster forecaster,
                const OutlookOptions& options = {});

  // What is believed before anything was observed.
  const Scenario& at_start() const { return at_start_; }

  // What is believed on the way. `base` is of this scenario, with its costs, goal and changes.
  // Borrows both. `longest_stays`: see OutlookOptions.
  MakeOutlook outlooks(const Problem& base, std::vector<int> longest_stays = {}) const;

 private:
  class Renewed;

  std::vector<bool> fitted_placements(const Problem& problem) const;
  void believe(const Problem& problem);
  void believe_pair(const Problem& problem, const JumpView& view);

  LearningForecaster forecaster_;
  OutlookOptions options_;
  Scenario at_start_;
  std::vector<bool> is_fitted_;  // by row of the scenario's runs
};

}  // namespace espalier
