// SPDX-License-Identifier: Apache-2.0
// How a policy fares on realisations.
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/chance.h"
#include "strategies/grid_policy.h"

namespace espalier {

struct TrialOptions {
  std::size_t runs = 20'000;
  std::uint64_t seed = 1;
  unsigned workers = 0;  // 0: one per core; the result is the same
  // Picks runs whose luck is spread evenly: counts are closer to the truth, by far, but no
  // confidence interval holds for them.
  bool evenly_lucky = false;
  // False: believe all along what is believed before the first epoch. To see what learning is
  // worth.
  bool learns_luck = true;
};

// Of realisations of the map's problem, one for each run number. The result of a trial that was
// stopped is useless.
Chance try_policy(const GridPolicy& policy, const TrialOptions& options,
                  const std::stop_token& stop);

}  // namespace espalier
