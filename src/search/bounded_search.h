// SPDX-License-Identifier: Apache-2.0
// A graph, the fronts that bound what is to come on it, and the label search between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "search/cost_front.h"
#include "search/label_search.h"
#include "search/rising_cut.h"
#include "search/search_graph.h"

namespace espalier {

// Bounds and searches on a graph: all placements, or a promising few (whose bounds hold among
// themselves only). The fronts depend on the goal, not on the state: they serve every call. Owned
// by one thread.
class BoundedSearch {
 public:
  struct Limits {
    std::int64_t max_labels = 0;
    std::stop_token stop;
  };

  explicit BoundedSearch(SearchGraph graph);

  // Least time and least energy to the goal; infinite if out of reach.
  double least_time(const State& now, const Limits& limits) {
    return time_.extend_to(now, limits.stop, limits.max_labels);
  }
  double least_energy(const State& now, const Limits& limits) {
    return energy_.extend_to(now, limits.stop, limits.max_labels);
  }
  std::vector<PlacementId> quickest_path(const State& now) const {
    return time_.cheapest_path(now);
  }
  std::vector<PlacementId> thriftiest_path(const State& now) const {
    return energy_.cheapest_path(now);
  }

  // What a price on time says: the least energy of any plan at least, and the plan it favours.
  struct Priced {
    double price = 0;
    double bound = 0;
    std::vector<PlacementId> path;
  };
  // Makes a front for the price and keeps it if its bound is among the best.
  Priced price_time(double price, const State& now, const Limits& limits);
  // The bounds of the fronts already there.
  std::vector<Priced> known_prices(const State& now, const Limits& limits);

  // The fronts kept, best bound first.
  std::vector<const CostBound*> priced() const;

  // Labels below a rising cut until the bracket is closed; false if stopped early. At most
  // `max_labels` per pass. Closed without a plan: there is none.
  bool close(Bracket& bracket, const State& now, const Limits& limits);

  const SearchGraph& graph() const { return *graph_; }
  std::int64_t points() const { return std::max(time_.points(), energy_.points()); }
  std::int64_t bytes() const;
  // Points settled and labels made since the last call.
  SearchStats take_stats();

 private:
  BestOfBounds fronts() const;
  Priced evaluate(CostFront& front, const State& now, const Limits& limits) const;
  void extend_fronts(const State& now, double cut, const Limits& limits);
  struct KeptFront {
    double bound;
    std::unique_ptr<CostFront> front;
  };
  void keep(KeptFront front);
  LabelSearch::Outcome pass(const State& now, double cut, const Limits& limits);
  void strengthen(const State& now, const Limits& limits);

  std::unique_ptr<const SearchGraph> graph_;  // the fronts refer to it
  CostFront time_;
  CostFront energy_;
  std::vector<KeptFront> priced_;  // best bound first
  bool is_strengthened_ = false;
  SearchStats stats_;
  std::int64_t counted_points_ = 0;  // of the fronts for time and energy, in earlier stats
};

}  // namespace espalier
