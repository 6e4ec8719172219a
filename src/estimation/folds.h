// SPDX-License-Identifier: Apache-2.0
// Who is learnt from and who judges, several times over, so that each run judges once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "estimation/trace_stories.h"

namespace espalier {

struct FoldOptions {
  std::size_t count = 5;
  std::uint64_t seed = 1;
};

// Positions of stories, ascending. Each is in one of the two.
struct Fold {
  std::vector<std::size_t> learn;
  std::vector<std::size_t> judge;
};

// Whole families are dealt out, so that judges are as strange to an estimator as the next seed will
// be. Where there are fewer families than folds, runs are, and those that grew from each other may
// be in different folds: each row is a target in its own run only, so no target is in two folds.
// Never epochs: those of one run resemble each other, and an estimator that has seen some knows the
// others. Every fold gets its share of the runs that trained, and of those that were pruned. The
// same ids and seed, the same folds.
// Throws Error{BadInput} if there are fewer runs than folds, or fewer than 2 folds.
std::vector<Fold> deal_folds(std::span<const RunStory> stories, const FoldOptions& options = {});

std::size_t count_families(std::span<const RunStory> stories);

}  // namespace espalier
