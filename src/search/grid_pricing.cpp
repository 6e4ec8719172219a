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
// Around the best price; labels ahead of time or behind meet better bounds there. Plans of one kind
// differ less than plans of all kinds.
constexpr std::size_t kPriceCount = 8;
constexpr double kPrices[kPriceCount] = {1, 0.9, 1.1, 0.75, 1.3, 0.5, 1.8, 3};
constexpr double kPricesOfKinds[kPriceCount] = {1, 0.97, 1.03, 0.93, 1.07, 0.8, 1.25, 2};
// As long as one of the first so many bounds best, they serve.
constexpr std::ptrdiff_t kInnerPrices = 5;
// The factor by which prices of kinds are raised or lowered until the best lies between two.
constexpr double kClimb = 1.3;
// Prices of kinds are good enough if no other can raise the bound by more than this share, or none
// is further away than that.
constexpr double kGoodBound = 2e-5;
constexpr double kGoodPrice = 0.003;
// Of the distance between two prices: those between are at least so far from both.
constexpr double kMargin = 0.05;
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

bool GridPricing::recall(const State& now) {
  found_ = now.energy.value;
  return !any_.empty();
}

bool GridPricing::fits(const State& now) const {
  if (any_.size() == 1)
    return end_of(any_.front()->cheapest_path(now), now).time.value <= deadline();
  const auto best = std::max_element(any_.begin(), any_.end(), [&](const auto& a, const auto& b) {
    return total(*a, now) < total(*b, now);
  });
  return best - any_.begin() < kInnerPrices;
}

bool GridPricing::price(const State& now, const std::stop_token& stop,
                        std::vector<std::vector<PlacementId>>& paths) {
  const SearchGraph& graph = rough_->graph();
  if (!coarse_) coarse_ = std::make_shared<const GridMap>(*GridMap::of(graph, kCoarseCells));
  const Price best = best_price(now, stop, paths);
  found_ = best.bound;
  if (stop.stop_requested()) return false;
  if (!fine_) fine_ = std::make_shared<const GridMap>(*GridMap::of(graph, kFineCells));
  std::vector<Kind> bounds = fine_bounds({best}, {{}}, stop);
  if (bounds.empty()) return false;
  any_ = std::move(bounds.front());
  kinds_.clear();
  excluded_.clear();
  bundle_ = std::make_unique<const GridBundle>(*time_, std::span(&any_, 1));
  return true;
}

void GridPricing::split(const State& now, double upper, const std::stop_token& stop) {
  const std::size_t models = fine_->graph().problem().model_count();
  std::vector<Price> best(models);
  for_each_index(models, 0, [&](unsigned, std::size_t m) {
    const std::vector<ModelId> last{{static_cast<std::int32_t>(m)}};
    best[m] = climbed(now, {last, upper}, stop);
  });
  std::vector<std::int32_t> order(models);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return best[static_cast<std::size_t>(a)].bound < best[static_cast<std::size_t>(b)].bound;
  });
  kinds_.clear();
  excluded_.clear();
  bundle_.reset();
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
  return std::all_of(excluded_.begin(), excluded_.end(),
                     [&](const auto& bound) { return least_excluded(*bound, now) >= upper; });
}

// For each set of last models: at the price given and around it. Time alone, too, the first time.
// Nothing if stopped.
std::vector<GridPricing::Kind> GridPricing::fine_bounds(
    const std::vector<Price>& prices, const std::vector<std::vector<ModelId>>& last,
    const std::stop_token& stop) {
  std::vector<Kind> kinds(last.size());
  for (std::size_t k = 0; k < kinds.size(); ++k)
    kinds[k].resize(prices[k].price > 0 ? kPriceCount : 1);
  const std::size_t count = kinds.size() * kPriceCount;
  for_each_index(time_ ? count : count + 1, 0, [&](unsigned, std::size_t i) {
    if (stop.stop_requested()) return;
    if (i == count) {
      time_ = std::make_unique<const GridBound>(fine_, 0, 1);
      return;
    }
    const std::size_t k = i / kPriceCount;
    const std::size_t lane = i % kPriceCount;
    const double factor = last[k].empty() ? kPrices[lane] : kPricesOfKinds[lane];
    if (lane < kinds[k].size())
      kinds[k][lane] =
          std::make_shared<const GridBound>(fine_, 1, factor * prices[k].price, last[k]);
  });
  return stop.stop_requested() ? std::vector<Kind>{} : kinds;
}

GridPricing::Price GridPricing::best_price(const State& now, const std::stop_token& stop,
                                           std::vector<std::vector<PlacementId>>& paths) const {
  const auto end_of_path = [&](const GridBound& bound) {
    paths.push_back(bound.cheapest_path(now));
    return end_of(paths.back(), now);
  };
  const GridBound frugal(coarse_, 1, 0);
  Price best{0, total(frugal, now)};
  State late = end_of_path(frugal);
  if (late.time.value <= deadline()) return best;
  const GridBound fast(coarse_, 0, 1);
  if (now.time.value + fast.from(now) > deadline()) return {0, kInfinite};
  State early = end_of_path(fast);
  for (int i = 0; i < kMaxSteps && !stop.stop_requested(); ++i) {
    const double price = (early.energy - late.energy).value / (late.time - early.time).value;
    if (!(price > 0) || !std::isfinite(price)) break;
    const GridBound bound(coarse_, 1, price);
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

// From the best price of all plans, which rules most kinds out already, to that of a kind. The
// bound is concave in the price, and as steep as the plan it favours is late: where two tangents
// meet lies the best price, if they are those of prices next to it.
GridPricing::Price GridPricing::climbed(const State& now, const Wanted& wanted,
                                        const std::stop_token& stop) const {
  Price best{0, now.energy.value};
  std::optional<Tangent> late;
  std::optional<Tangent> early;
  double price = any_.front()->time_weight();
  for (int i = 0; i < kMaxSteps && !stop.stop_requested(); ++i) {
    const Tangent tangent = tangent_at(price, now, wanted.last);
    if (tangent.bound > best.bound || i == 0) best = {price, tangent.bound};
    if (best.bound >= wanted.enough || (price == 0 && tangent.slope <= 0)) break;
    (tangent.slope > 0 ? late : early) = tangent;
    if (late && early) {
      const Price next = meeting_point(*late, *early);
      const bool is_close = early->price - late->price < kGoodPrice * early->price;
      if (is_close || next.bound - best.bound < kGoodBound * best.bound) break;
      price = next.price;
    } else if (late) {
      price = price > 0 ? price * std::pow(kClimb, i + 1) : best.bound / deadline();
    } else {
      price = i < kMaxSteps / 2 ? price / kClimb : 0;
    }
  }
  const bool may_be_too_slow = best.bound < wanted.enough && !early;
  return may_be_too_slow && is_too_slow(now, wanted.last) ? Price{0, kInfinite} : best;
}

bool GridPricing::is_too_slow(const State& now, const std::vector<ModelId>& last) const {
  return now.time.value + GridBound(coarse_, 0, 1, last).from(now) > deadline();
}

GridPricing::Tangent GridPricing::tangent_at(double price, const State& now,
                                             const std::vector<ModelId>& last) const {
  const GridBound bound(coarse_, 1, price, last);
  const State end = end_of(bound.cheapest_path(now), now);
  return {price, total(bound, now), end.time.value - deadline()};
}

// Not too close to either.
GridPricing::Price GridPricing::meeting_point(const Tangent& late, const Tangent& early) {
  const double width = early.price - late.price;
  const double share =
      (early.bound - early.slope * width - late.bound) / ((late.slope - early.slope) * width);
  const double inside = std::clamp(share, kMargin, 1 - kMargin);
  return {late.price + inside * width, late.bound + share * width * late.slope};
}

double GridPricing::total(const GridBound& bound, const State& now) const {
  return now.energy.value + bound.from(now) - bound.time_weight() * (deadline() - now.time.value);
}

State GridPricing::end_of(const std::vector<PlacementId>& path, const State& now) const {
  const SearchGraph& graph = rough_->graph();
  return follow(graph.problem(), graph.estimator(), now, path).end();
}

double GridPricing::deadline() const { return rough_->graph().problem().goal().time_bound().value; }

// A kind that was too late may not be any more where the run does better than planned.
double GridPricing::least_excluded(const GridBound& bound, const State& now) const {
  if (bound.energy_weight() > 0) return total(bound, now);
  return now.time.value + bound.from(now) > deadline() ? kInfinite : now.energy.value;
}

double GridPricing::least_energy(const State& now) const {
  const auto least_of = [&](const Kind& kind) {
    double least = now.energy.value;
    for (const auto& bound : kind) least = std::max(least, total(*bound, now));
    return least;
  };
  double least = kInfinite;
  for (const Kind& kind : kinds_) least = std::min(least, least_of(kind));
  for (const auto& bound : excluded_) least = std::min(least, least_excluded(*bound, now));
  return std::max({found_, least_of(any_), kinds_.empty() ? 0 : least});
}

double GridPricing::least_time(const State& now) const { return now.time.value + time_->from(now); }

std::vector<std::vector<PlacementId>> GridPricing::favoured(const State& now) const {
  std::vector<std::vector<PlacementId>> paths;
  const auto add = [&](const Kind& kind) {
    for (const auto& bound : kind) paths.push_back(bound->cheapest_path(now));
  };
  add(any_);
  for (const Kind& kind : kinds_) add(kind);
  return paths;
}

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
