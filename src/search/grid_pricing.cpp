// SPDX-License-Identifier: Apache-2.0
#include "search/grid_pricing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/infinite.h"
#include "core/parallel.h"

namespace espalier {
namespace {

constexpr std::size_t kRoughCells = 32;
constexpr std::size_t kCoarseCells = 128;
constexpr std::size_t kFineCells = 256;
// Epochs from which on a grid is faster than fronts.
constexpr std::size_t kLongPlan = 120;
constexpr int kMaxSteps = 12;
// Around the best price; labels ahead of time or behind meet better bounds there.
constexpr double kPrices[] = {1, 0.9, 1.1, 0.75, 1.3, 0.5, 1.8, 3};
// As long as one of the first so many bounds best, they serve.
constexpr std::ptrdiff_t kInnerPrices = 5;
// Factors by which prices of kinds are raised or lowered in search of a better one.
constexpr double kLongestClimb = 1.5;
constexpr double kShortestClimb = 1.04;
// Kinds of plans told apart by their last model; the last kind holds all that are left.
constexpr std::size_t kMaxKinds = 5;

}  // namespace

std::optional<GridPricing> GridPricing::of(const SearchGraph& graph) {
  auto rough = GridMap::of(graph, kRoughCells);
  if (!rough) return {};
  return GridPricing(std::move(*rough));
}

bool GridPricing::suits(const State& now) const {
  const auto epochs = [&](double energy_weight, double time_weight) {
    return GridBound(rough_, energy_weight, time_weight).cheapest_path(now).size();
  };
  return fine_ || std::max(epochs(1, 0), epochs(0, 1)) >= kLongPlan;
}

bool GridPricing::still_fits(const State& now) const {
  if (any_.empty()) return false;
  if (any_.size() == 1)
    return end_of(any_.front()->cheapest_path(now), now).time.value <= deadline();
  const auto best = std::max_element(any_.begin(), any_.end(), [&](const auto& a, const auto& b) {
    return total(*a, now) < total(*b, now);
  });
  return best - any_.begin() < kInnerPrices;
}

bool GridPricing::price(const State& now, const std::stop_token& stop,
                        std::vector<std::vector<PlacementId>>& paths) {
  found_ = now.energy.value;
  if (still_fits(now)) return true;
  const SearchGraph& graph = rough_->graph();
  if (!coarse_) coarse_ = std::make_shared<const GridMap>(*GridMap::of(graph, kCoarseCells));
  const Price best = best_price(now, {}, stop, paths);
  found_ = best.bound;
  any_.clear();
  kinds_.clear();
  excluded_.clear();
  if (stop.stop_requested()) return false;
  if (!fine_) fine_ = std::make_shared<const GridMap>(*GridMap::of(graph, kFineCells));
  std::vector<Kind> bounds = fine_bounds({best}, {{}}, stop);
  if (bounds.empty()) return false;
  any_ = std::move(bounds.front());
  bundle_ = std::make_unique<const GridBundle>(*time_, std::span(&any_, 1));
  return true;
}

void GridPricing::split(const State& now, double upper, const std::stop_token& stop) {
  const std::size_t models = fine_->graph().problem().model_count();
  std::vector<Price> best(models);
  for_each_index(models, 0, [&](unsigned, std::size_t m) {
    const std::vector<ModelId> last{{static_cast<std::int32_t>(m)}};
    // Most are ruled out by the best price of all plans already.
    const double usual = any_.front()->time_weight();
    const GridBound bound(coarse_, 1, usual, last);
    best[m] = {usual, total(bound, now)};
    if (best[m].bound >= upper) return;
    std::vector<std::vector<PlacementId>> paths;
    best[m] = climbed(best_price(now, last, stop, paths), now, {last, upper}, stop);
  });
  std::vector<std::int32_t> order(models);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return best[static_cast<std::size_t>(a)].bound < best[static_cast<std::size_t>(b)].bound;
  });
  excluded_.clear();
  std::vector<Price> prices;
  std::vector<std::vector<ModelId>> last;
  for (const std::int32_t m : order) {
    const Price& price = best[static_cast<std::size_t>(m)];
    if (price.bound >= upper) {
      const bool is_late = price.bound == kInfinite;
      excluded_.push_back(std::make_shared<const GridBound>(
          coarse_, is_late ? 0 : 1, is_late ? 1 : price.price, std::vector<ModelId>{{m}}));
    } else if (last.size() < kMaxKinds) {
      prices.push_back(price);
      last.push_back({ModelId{m}});
    } else {
      last.back().push_back(ModelId{m});
    }
  }
  kinds_ = fine_bounds(prices, last, stop);
  if (kinds_.empty()) excluded_.clear();
  bundle_ =
      std::make_unique<const GridBundle>(*time_, kinds_.empty() ? std::span(&any_, 1) : kinds_);
}

bool GridPricing::covers(const State& now, double upper) const {
  return std::all_of(excluded_.begin(), excluded_.end(), [&](const auto& bound) {
    return bound->energy_weight() == 0 ? now.time.value + bound->from(now) > deadline()
                                       : total(*bound, now) >= upper;
  });
}

// For each set of last models: at the price given and around it. Time alone, too, the first time.
// Nothing if stopped.
std::vector<GridPricing::Kind> GridPricing::fine_bounds(
    const std::vector<Price>& prices, const std::vector<std::vector<ModelId>>& last,
    const std::stop_token& stop) {
  std::vector<Kind> kinds(last.size());
  for (std::size_t k = 0; k < kinds.size(); ++k)
    kinds[k].resize(prices[k].price > 0 ? std::size(kPrices) : 1);
  const std::size_t count = kinds.size() * std::size(kPrices);
  for_each_index(time_ ? count : count + 1, 0, [&](unsigned, std::size_t i) {
    if (stop.stop_requested()) return;
    if (i == count) {
      time_ = std::make_unique<const GridBound>(fine_, 0, 1);
      return;
    }
    const std::size_t k = i / std::size(kPrices);
    const std::size_t lane = i % std::size(kPrices);
    if (lane < kinds[k].size())
      kinds[k][lane] =
          std::make_shared<const GridBound>(fine_, 1, kPrices[lane] * prices[k].price, last[k]);
  });
  return stop.stop_requested() ? std::vector<Kind>{} : kinds;
}

// Of the plans that end with one of `last`.
GridPricing::Price GridPricing::best_price(const State& now, const std::vector<ModelId>& last,
                                           const std::stop_token& stop,
                                           std::vector<std::vector<PlacementId>>& paths) const {
  const auto end_of_path = [&](const GridBound& bound) {
    paths.push_back(bound.cheapest_path(now));
    return end_of(paths.back(), now);
  };
  const GridBound frugal(coarse_, 1, 0, last);
  Price best{0, total(frugal, now)};
  State late = end_of_path(frugal);
  if (late.time.value <= deadline()) return best;
  const GridBound fast(coarse_, 0, 1, last);
  if (now.time.value + fast.from(now) > deadline()) return {0, kInfinite};
  State early = end_of_path(fast);
  for (int i = 0; i < kMaxSteps && !stop.stop_requested(); ++i) {
    const double price = (early.energy - late.energy).value / (late.time - early.time).value;
    if (!(price > 0) || !std::isfinite(price)) break;
    const GridBound bound(coarse_, 1, price, last);
    const double value = total(bound, now);
    if (value > best.bound) best = {price, value};
    const State end = end_of_path(bound);
    const auto is_like = [&](const State& other) {
      return std::abs((end.time - other.time).value) < 1e-6 * deadline();
    };
    if (is_like(late) || is_like(early)) break;
    (end.time.value <= deadline() ? early : late) = end;
  }
  return best;
}

// A better price nearby, unless the bound is enough already. The plans that led to the price are
// those of a rough grid and may mislead; the bound itself is concave in the price.
GridPricing::Price GridPricing::climbed(Price best, const State& now, const Wanted& wanted,
                                        const std::stop_token& stop) const {
  for (double factor = kLongestClimb; factor > kShortestClimb && best.price > 0;) {
    const double from = best.price;
    for (const double price : {from * factor, from / factor}) {
      if (best.bound >= wanted.enough || stop.stop_requested()) return best;
      const double bound = total(GridBound(coarse_, 1, price, wanted.last), now);
      if (bound > best.bound) best = {price, bound};
      if (best.price != from) break;
    }
    if (best.price == from) factor = std::sqrt(factor);
  }
  return best;
}

double GridPricing::total(const GridBound& bound, const State& now) const {
  return now.energy.value + bound.from(now) - bound.time_weight() * (deadline() - now.time.value);
}

State GridPricing::end_of(const std::vector<PlacementId>& path, const State& now) const {
  const SearchGraph& graph = rough_->graph();
  return follow(graph.problem(), graph.estimator(), now, path).end();
}

double GridPricing::deadline() const { return rough_->graph().problem().goal().time_bound().value; }

double GridPricing::least_energy(const State& now) const {
  const auto least_of = [&](const Kind& kind) {
    double least = now.energy.value;
    for (const auto& bound : kind) least = std::max(least, total(*bound, now));
    return least;
  };
  double least = kInfinite;
  for (const Kind& kind : kinds_) least = std::min(least, least_of(kind));
  for (const auto& bound : excluded_) {
    if (bound->energy_weight() > 0) least = std::min(least, total(*bound, now));
  }
  return std::max({found_, least_of(any_), kinds_.empty() ? 0 : least});
}

double GridPricing::least_time(const State& now) const { return now.time.value + time_->from(now); }

std::vector<const CostBound*> GridPricing::policies() const {
  std::vector<const CostBound*> all;
  for (const auto& bound : any_) all.push_back(bound.get());
  all.push_back(time_.get());
  return all;
}

std::int64_t GridPricing::bytes() const {
  std::size_t bytes = bundle_ ? bundle_->bytes() : 0;
  if (time_) bytes += time_->bytes();
  for (const auto& bound : any_) bytes += bound->bytes();
  for (const Kind& kind : kinds_) {
    for (const auto& bound : kind) bytes += bound->bytes();
  }
  for (const auto& bound : excluded_) bytes += bound->bytes();
  return static_cast<std::int64_t>(bytes);
}

}  // namespace espalier
