// SPDX-License-Identifier: Apache-2.0
// The least-energy plan of one realisation, with proof.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "clairvoyance/cost_to_go.h"
#include "clairvoyance/foresight.h"
#include "clairvoyance/foresight_search.h"
#include "clairvoyance/incumbent.h"
#include "clairvoyance/loss_ranges.h"

namespace espalier {

// Problem.    Least energy subject to a deadline where the luck of every epoch is known: what an
//             epoch does depends on its number, so plans are paths through layers of epochs.
// Idea.       1. A first plan, and with it how many epochs a better one can have.
//             2. Bounds backwards from the goal on the energy, or on energy and a price of time
//                where the deadline binds; the plans that they favour; a narrow search among what
//                they leave. Together with bounds forward from the start they tell which losses a
//                better plan can have after each epoch: a band that becomes narrower with each
//                price, and the bounds with it cheaper and finer.
//             3. Labels forward within the band, in passes that are wider and wider, until the
//                bound meets the best plan.
// Invariant.  lower ≤ optimum ≤ upper at any time.
// Reference.  The same prices as in strategies/exact.cpp, on layers. Fixing by bounds from both
//             ends: e.g. Beasley and Christofides (1989).
// Owned by one thread; refers to what it is given.
class ForesightPlanner {
 public:
  // Plans count only if they cost less than `cut`.
  ForesightPlanner(const Ways& ways, const Truth& truth, Foresight foresight, double cut);

  void solve(const ForesightSearch::Limits& limits);

  // No plan costs less; infinite if none costs less than the cut.
  double lower() const { return plan() ? std::min(lower_, upper()) : lower_; }
  const std::optional<Plan>& plan() const { return incumbent_.plan(); }
  std::int64_t labels() const { return labels_; }

 private:
  double upper() const { return incumbent_.energy(); }
  bool is_closed() const;
  bool is_done() const { return is_closed() || limits_.stop.stop_requested(); }
  bool is_in_time(const State& end) const;
  void raise_lower(double bound) { lower_ = std::max(lower_, bound); }

  void sketch();
  void look_far_enough();
  bool some_placement_is_cheap_enough() const;
  double cut_for(const CostWeights& weights) const;
  std::size_t affordable(std::size_t buckets) const;
  std::unique_ptr<CostToGo> bound(const CostWeights& weights, std::size_t buckets);
  void narrow(const CostToGo& rest);
  void bound_energy();
  void bound_time();
  void bound_with_price();
  double price_between() const;
  bool improves(const State& end) const;
  void search_narrowly(const CostToGo& rest);
  void bound_finely();
  void search();

  const Truth& truth_;
  const double deadline_;
  ForesightSearch::Limits limits_;
  Foresight foresight_;
  Incumbent incumbent_;
  double lower_ = 0;
  // Where plans end that are cheap for their price: one that is late, if the deadline binds, and
  // one that is in time.
  std::optional<State> late_;
  std::optional<State> early_;
  double price_ = 0;  // of time, 0 if it has none
  std::optional<LossRanges> ranges_;
  std::vector<std::unique_ptr<CostToGo>> bounds_;
  std::int64_t labels_ = 0;
};

}  // namespace espalier
