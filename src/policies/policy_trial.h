// SPDX-License-Identifier: Apache-2.0
// How a policy fares on realisations.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/chance.h"
#include "policies/grid_policy.h"
#include "policies/run_belief.h"

namespace espalier {

struct TrialOptions {
  std::size_t runs = 20'000;
  std::uint64_t seed = 1;
  unsigned workers = 0;  // 0: one per core; the result is the same
  // False: believe all along what is believed before the first epoch. To see what learning is
  // worth.
  bool learns_luck = true;
};

// Of realisations of the map's problem, numbered from 0. The result of a trial that was stopped is
// useless.
Chance try_policy(const GridPolicy& policy, const TrialOptions& options,
                  const std::stop_token& stop);

// Of runs that stand there, where that is believed of their luck.
struct OnTheWay {
  State now{};
  RunBelief belief{};
};
Chance try_policy_from(const OnTheWay& start, const GridPolicy& policy, const TrialOptions& options,
                       const std::stop_token& stop);

// Numbers of runs whose luck is spread evenly: counts among them are closer to the truth, by far,
// but no confidence interval holds for them. O(runs · log runs).
std::vector<std::size_t> evenly_lucky_runs(const Problem& problem, const TrialOptions& options);

// On the realisations of these numbers, instead of options.runs of them.
Chance try_policy_on(std::span<const std::size_t> runs, const GridPolicy& policy,
                     const TrialOptions& options, const std::stop_token& stop);

}  // namespace espalier
