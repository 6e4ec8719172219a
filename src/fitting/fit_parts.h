// SPDX-License-Identifier: Apache-2.0
// Which runs are learnt from, which tell when to stop, and which judge: whole runs, never epochs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "estimation/folds.h"
#include "estimation/trace_stories.h"

namespace espalier {

// Positions of stories.
using Positions = std::vector<std::size_t>;

struct FitParts {
  Positions learn;
  Positions validation;  // tells when to stop
  Positions judge;       // none for the estimator that is kept
};

// With fewer runs there is not enough left to learn from once some judge and some validate.
inline constexpr std::size_t kFewestRuns = 6;

// As many folds as wanted; fewer if there are fewer runs, more if otherwise too few would be left
// to learn from. REQUIRES: kFewestRuns.
std::size_t folds_for(std::size_t runs, std::size_t wanted);
// The same for these runs: no more than there are families, so that whole families can judge, if
// there are at least 3 and runs enough.
std::size_t folds_for(std::span<const RunStory> stories, const Positions& usable,
                      std::size_t wanted);

// Of each story, where whole families are dealt out to so many folds: the number of its family.
std::vector<std::optional<std::size_t>> dealt_families(std::span<const RunStory> stories,
                                                       const Positions& usable, std::size_t folds);

// One for each fold, and last that of the estimator that is kept, which learns from all. An eighth
// of what is learnt from validates. The same ids and seed, the same parts.
std::vector<FitParts> deal_parts(std::span<const RunStory> stories, const Positions& usable,
                                 const FoldOptions& options);

}  // namespace espalier
