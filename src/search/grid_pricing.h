// SPDX-License-Identifier: Apache-2.0
// The prices of time that bound a problem best, on a grid of losses.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/plan.h"
#include "search/grid_bundle.h"

namespace espalier {

// Problem.    The Lagrangian dual of the deadline, over all placements.
// Idea.       Secant steps between a plan that is late and one that is in time, on a coarse grid;
//             then a fine grid for the best price and others around it, which bound labels that are
//             ahead or behind. If that is not enough, the same for each model that a plan may end
//             with. All depend on the goal only and serve every later state.
// Owned by one thread; uses others while it works. The graph must outlive it.
class GridPricing {
 public:
  // Nothing if the problem is no good for a grid.
  static std::optional<GridPricing> of(const SearchGraph& graph);

  // Whether plans from `now` are so long that fronts would have too many points.
  bool suits(const State& now) const;

  // Whether prices of an earlier state are known: they bound plans from `now` too, closely if they
  // fit it.
  bool recall(const State& now);
  bool fits(const State& now) const;
  // Finds prices for `now`. Returns plans met on the way; some may be good. False if it was
  // stopped: then only what was known before bounds.
  bool price(const State& now, const std::stop_token& stop,
             std::vector<std::vector<PlacementId>>& paths);
  // Tells plans by the model they end with; those that cost `upper` or more need not be told apart.
  void split(const State& now, double upper, const std::stop_token& stop);
  bool is_split() const { return !kinds_.empty(); }
  // Whether that still holds for plans from `now` of less than `upper`.
  bool covers(const State& now, double upper) const;

  // No plan from `now` ends with less energy, or earlier; infinite if none reaches the loss.
  double least_energy(const State& now) const;
  double least_time(const State& now) const;

  // The plans that prices favour: as a rule, some are in time.
  std::vector<std::vector<PlacementId>> favoured(const State& now) const;
  // For plans that are covered.
  const GridBundle& bound() const { return *bundle_; }
  // At all prices, for plans of any kind.
  std::vector<const CostBound*> policies() const;
  std::int64_t bytes() const;

 private:
  using Kind = GridBundle::Kind;
  struct Price {
    double price = 0;
    double bound = 0;  // no plan of less energy
  };

  explicit GridPricing(GridMap rough) : rough_(std::make_shared<const GridMap>(std::move(rough))) {}

  Price best_price(const State& now, const std::stop_token& stop,
                   std::vector<std::vector<PlacementId>>& paths) const;
  struct Wanted {
    const std::vector<ModelId>& last;  // models that plans end with
    double enough;                     // higher bounds are of no more use
  };
  Price climbed(const State& now, const Wanted& wanted, const std::stop_token& stop) const;
  // The bound as a function of the price, at one price.
  struct Tangent {
    double price;
    double bound;
    double slope;
  };
  // Whether no plan that ends with one of these is in time.
  bool is_too_slow(const State& now, const std::vector<ModelId>& last) const;
  Tangent tangent_at(double price, const State& now, const std::vector<ModelId>& last) const;
  static Price meeting_point(const Tangent& late, const Tangent& early);
  std::vector<Kind> fine_bounds(const std::vector<Price>& prices,
                                const std::vector<std::vector<ModelId>>& last,
                                const std::stop_token& stop);
  double total(const GridBound& bound, const State& now) const;
  // No plan of an excluded kind costs less.
  double least_excluded(const GridBound& bound, const State& now) const;
  State end_of(const std::vector<PlacementId>& path, const State& now) const;
  double deadline() const;

  std::shared_ptr<const GridMap> rough_;   // to see how long plans are
  std::shared_ptr<const GridMap> coarse_;  // to find prices
  std::shared_ptr<const GridMap> fine_;    // to bound
  double found_ = 0;                       // no plan from the last state costs less
  std::unique_ptr<const GridBound> time_;
  Kind any_;                                                // plans of all kinds
  std::vector<Kind> kinds_;                                 // the same by last model, once split
  std::vector<std::shared_ptr<const GridBound>> excluded_;  // coarse: too dear or too late
  std::unique_ptr<const GridBundle> bundle_;
};

}  // namespace espalier
