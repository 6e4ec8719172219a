// SPDX-License-Identifier: Apache-2.0
// The clairvoyant optimum: how little energy a run could have taken for somebody who knew all its
// luck in advance. No strategy can do better in the same realisation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/plan.h"

namespace espalier {

struct ClairvoyantOptions {
  // Labels for one realisation; where they do not suffice there is a bound instead of a proof.
  std::int64_t max_labels = 300'000;
};

// The runs 0, 1, …, runs − 1 of `seed`, as in Truth.
struct Realisations {
  std::uint64_t seed = 1;
  std::size_t runs = 1;
  // Threads; 0: one per core. The results do not depend on it.
  unsigned workers = 0;
};

struct ClairvoyantResult {
  // Optimal: the plan is the best. Infeasible: not even the clairvoyant reaches the goal. Limit:
  // labels did not suffice, or the luck made a rule fall with the loss; the plan, if any, is good.
  Verdict verdict = Verdict::Limit;
  // As it goes in the realisation; its energy is plan->end().energy.
  std::optional<Plan> plan;
  // No plan costs less in this realisation; the energy of the plan if it is the best, infinite if
  // there is none.
  Joules lower_bound{};
  std::int64_t labels = 0;
};

// Of run number `run` of `seed`. `actual` is Problem::actual(…).
ClairvoyantResult clairvoyant_optimum(const Problem& actual, std::uint64_t seed, std::uint64_t run,
                                      const ClairvoyantOptions& options = {},
                                      std::stop_token stop = {});

// Of many realisations, on all cores, in their order; those that were not begun when `stop` came
// are missing from the end. `done` is called after each, by one thread at a time.
std::vector<ClairvoyantResult> clairvoyant_optima(
    const Problem& actual, const Realisations& realisations, const ClairvoyantOptions& options = {},
    const std::stop_token& stop = {}, const std::function<void(std::size_t done)>& done = {});

}  // namespace espalier
