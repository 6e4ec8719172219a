// SPDX-License-Identifier: Apache-2.0
// The cheapest policy that keeps a promise.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/chance.h"
#include "policies/grid_policy.h"

namespace espalier {

struct PolicySearchOptions {
  PolicyResolution resolution;
  // Realisations on which the policy is judged; the search itself uses fewer.
  std::size_t runs = 20'000;
  // Of the realisations; the same seed gives the same policy.
  std::uint64_t seed = 0x6573'7061'6c69'6572;
  // 0: one per core; the result is the same.
  unsigned workers = 0;
};

struct FoundPolicy {
  std::shared_ptr<const GridPolicy> policy;  // null if the search was stopped
  Chance chance;                             // on realisations that the search did not see
  bool keeps_promise = false;  // the chance is at least the goal's, at 97.5 % confidence
  std::int64_t bytes = 0;      // held by the search at its largest
};

// Problem.    Least mean energy such that P(goal) ≥ probability.
// Idea.       The price of a miss stands for the promise (Lagrange): the dearer a miss, the more is
//             spent on avoiding it. Find the least price whose policy reaches the goal often enough
//             on realisations: roughly on a coarse grid, then between two prices on the fine one.
// Promise.    The policy is judged on fresh realisations; if the lower end of the confidence
//             interval falls short, the search asks for that much more and tries again, with fresh
//             realisations each time.
// No mixture of two policies by a coin, which would meet the probability exactly: runs could not be
// repeated. So a small probability may be overshot: the price at which a run is worth starting at
// all already buys more.
// REQUIRES: no rule of the problem depends on the epoch number. `problem` must outlive the result.
FoundPolicy find_policy(const Problem& problem, const PolicySearchOptions& options,
                        const std::stop_token& stop);

}  // namespace espalier
