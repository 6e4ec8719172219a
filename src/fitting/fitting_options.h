// SPDX-License-Identifier: Apache-2.0
// How traces become estimators, by whom, and what is told on the way.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include "estimation/fit_options.h"
#include "estimation/torch/fit_estimators.h"
#include "fitting/fit_result.h"
#include "fitting/tuning.h"

namespace espalier {

struct FittingOptions {
  FitOptions network{};
  // So many times other runs judge.
  std::size_t folds = 5;
  // Networks that are fitted side by side; 0: one per core.
  unsigned workers = 0;
  TuningOptions tuning{};
  // Curves and mistakes that the report shows.
  std::size_t samples = 6;
  std::size_t worst = 10;
};

// With an epoch's worth of patience for every so many examples: few examples are few steps per
// epoch, and a fit that counts epochs would give up, or end, before it has learnt anything.
inline constexpr std::size_t kMostPaced = 20;
FitOptions paced(FitOptions options, std::size_t examples, std::size_t fewest);

// Who fits networks: libtorch, or in tests somebody faster.
struct Fitters {
  std::function<FittedNetwork(const RunSequences&, const FitOptions&, const FitWatch&)> run;
  std::function<FittedNetwork(const ChangeExamples&, const FitOptions&, const FitWatch&)> change;
};

// How far it has come.
struct FittingNews {
  Subject what = Subject::Run;
  std::size_t fold = 0;  // the network at hand; `folds` for the one that is kept
  std::size_t folds = 0;
  FitProgress network{};
  std::size_t done = 0;  // networks that are fitted and judged
  std::size_t total = 0;
};

struct FittingWatch {
  // Called by one thread at a time.
  std::function<void(const FittingNews&)> news{};
  std::stop_token stop{};
};

}  // namespace espalier
