// SPDX-License-Identifier: Apache-2.0
#include "search/bounded_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace espalier {
namespace {

constexpr std::size_t kKeptFronts = 6;
// Fronts bound better together if their prices differ at least this much (relative).
constexpr double kDistinctPrices = 0.03;
// On larger graphs the fronts for time and energy alone cost more than the labels they save.
constexpr NodeIndex kSmallGraph = 64;
// More labels than this in a pass cost as much as a front.
constexpr std::int64_t kManyLabels = 30'000;
constexpr double kOtherPrices[] = {0.8, 1.25};
}  // namespace

BoundedSearch::BoundedSearch(SearchGraph graph)
    : graph_(std::make_unique<const SearchGraph>(std::move(graph))),
      time_(*graph_, 0, 1),
      energy_(*graph_, 1, 0) {}

BoundedSearch::Priced BoundedSearch::evaluate(CostFront& front, const State& now,
                                              const Limits& limits) const {
  const double time_left = (graph_->problem().goal().time_bound() - now.time).value;
  const double rest =
      front.extend_to(now, limits.stop, limits.max_labels) - front.time_weight() * time_left;
  return {front.time_weight(), std::isfinite(rest) ? now.energy.value + rest : now.energy.value,
          front.cheapest_path(now)};
}

BoundedSearch::Priced BoundedSearch::price_time(double price, const State& now,
                                                const Limits& limits) {
  auto front = std::make_unique<CostFront>(*graph_, 1, price);
  Priced priced = evaluate(*front, now, limits);
  stats_.labels += front->points();
  stats_.bytes = std::max(stats_.bytes, bytes() + front->bytes());
  keep({priced.bound, std::move(front)});
  return priced;
}

// Best bound first; of two with nearly the same price only the better one.
void BoundedSearch::keep(KeptFront front) {
  const auto is_like = [&](const KeptFront& kept) {
    return std::abs(kept.front->time_weight() / front.front->time_weight() - 1) < kDistinctPrices;
  };
  const auto worse = std::find_if(priced_.begin(), priced_.end(),
                                  [&](const KeptFront& kept) { return kept.bound < front.bound; });
  if (std::any_of(priced_.begin(), worse, is_like)) return;
  priced_.erase(std::remove_if(worse, priced_.end(), is_like), priced_.end());
  priced_.insert(std::find_if(priced_.begin(), priced_.end(),
                              [&](const KeptFront& kept) { return kept.bound < front.bound; }),
                 std::move(front));
  if (priced_.size() > kKeptFronts) priced_.pop_back();
}

std::vector<BoundedSearch::Priced> BoundedSearch::known_prices(const State& now,
                                                               const Limits& limits) {
  std::vector<Priced> all;
  for (KeptFront& kept : priced_) {
    all.push_back(evaluate(*kept.front, now, limits));
    kept.bound = all.back().bound;
  }
  std::stable_sort(priced_.begin(), priced_.end(),
                   [](const KeptFront& a, const KeptFront& b) { return a.bound > b.bound; });
  return all;
}

// Far enough that every label below the cut meets an exact bound.
void BoundedSearch::extend_fronts(const State& now, double cut, const Limits& limits) {
  const double time_left = (graph_->problem().goal().time_bound() - now.time).value;
  const double energy_left = cut - now.energy.value;
  const bool is_cheap = graph_->size() <= kSmallGraph;
  if (is_cheap || time_.is_started()) time_.extend_to(time_left, limits.stop, limits.max_labels);
  if (is_cheap || energy_.is_started())
    energy_.extend_to(energy_left, limits.stop, limits.max_labels);
  for (const KeptFront& kept : priced_) {
    kept.front->extend_to(energy_left + kept.front->time_weight() * time_left, limits.stop,
                          limits.max_labels);
  }
}

// Further fronts, once labels are so many that they pay: for prices on both sides of the best one,
// and for time.
void BoundedSearch::strengthen(const State& now, const Limits& limits) {
  if (is_strengthened_ || priced_.empty()) return;
  is_strengthened_ = true;
  const double price = priced_.front().front->time_weight();
  for (const double factor : kOtherPrices) price_time(factor * price, now, limits);
  least_time(now, limits);
}

std::vector<const CostBound*> BoundedSearch::priced() const {
  std::vector<const CostBound*> all;
  for (const KeptFront& kept : priced_) all.push_back(kept.front.get());
  return all;
}

BestOfBounds BoundedSearch::fronts() const {
  std::vector<const CostBound*> all = priced();
  if (energy_.is_started()) all.push_back(&energy_);
  if (time_.is_started()) all.push_back(&time_);
  return {graph_->problem().goal().time_bound().value, std::move(all)};
}

LabelSearch::Outcome BoundedSearch::pass(const State& now, double cut, const Limits& limits) {
  extend_fronts(now, cut, limits);
  const BestOfBounds bound = fronts();
  LabelSearch search(*graph_, bound);
  LabelSearch::Outcome outcome = search.run(now, cut, {limits.max_labels, limits.stop});
  stats_.labels += outcome.labels;
  stats_.bytes = std::max(stats_.bytes, bytes() + outcome.bytes);
  outcome.complete &= !limits.stop.stop_requested();
  if (outcome.complete && outcome.labels > kManyLabels) strengthen(now, limits);
  return outcome;
}

bool BoundedSearch::close(Bracket& bracket, const State& now, const Limits& limits) {
  return espalier::close(bracket, *graph_, now, [&](double cut) { return pass(now, cut, limits); });
}

std::int64_t BoundedSearch::bytes() const {
  std::int64_t bytes = time_.bytes() + energy_.bytes();
  for (const KeptFront& kept : priced_) bytes += kept.front->bytes();
  return bytes;
}

SearchStats BoundedSearch::take_stats() {
  SearchStats taken = std::exchange(stats_, {});
  const std::int64_t points = time_.points() + energy_.points();
  taken.labels += points - std::exchange(counted_points_, points);
  taken.bytes = std::max(taken.bytes, bytes());
  return taken;
}

}  // namespace espalier
