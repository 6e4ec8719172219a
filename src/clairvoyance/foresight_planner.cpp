// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/foresight_planner.h"

#include <algorithm>
#include <cmath>

#include "clairvoyance/cost_so_far.h"
#include "clairvoyance/sketch.h"
#include "clairvoyance/tolerances.h"
#include "core/infinite.h"

namespace espalier {
namespace {

// Buckets of the bounds: while all losses are still in question, and within the band.
constexpr std::size_t kCoarse = 256;
constexpr std::size_t kFine = 512;
// Of large problems: buckets × ways × epochs.
constexpr std::size_t kMostWork = 60'000'000;
constexpr std::size_t kLeastBuckets = 16;
constexpr int kMaxPrices = 6;
// Prices that bound well where the best one does not, relative to it.
constexpr double kOtherPrices[] = {0.7, 1.4};
// Labels after each epoch: for a good plan, and in the passes for the proof.
constexpr std::size_t kNarrow = 50;
constexpr std::size_t kWidths[] = {64, 1024, 1'000'000};

}  // namespace

ForesightPlanner::ForesightPlanner(const Ways& ways, const Truth& truth, Foresight foresight,
                                   double cut)
    : truth_(truth),
      deadline_(ways.problem().goal().time_bound().value),
      foresight_(std::move(foresight)),
      incumbent_(truth, cut),
      lower_(ways.problem().start().energy.value) {}

void ForesightPlanner::solve(const ForesightSearch::Limits& limits) {
  limits_ = limits;
  if (is_in_time(truth_.problem().start())) incumbent_.offer({});
  if (!is_done()) sketch();
  if (is_done()) return;
  look_far_enough();
  if (!late_) {
    bound_energy();
  } else if (!early_) {
    bound_time();
  }
  if (late_ && early_ && !is_done()) bound_with_price();
  if (!is_done()) bound_finely();
  if (!is_done()) search();
}

bool ForesightPlanner::is_closed() const { return lower_ >= upper() * (1 - kClosed); }

bool ForesightPlanner::is_in_time(const State& end) const {
  return truth_.problem().goal().reached(end.loss, end.time);
}

// --- first plans ---------------------------------------------------------------------------------

void ForesightPlanner::sketch() {
  const auto thrifty = sketch_plan(foresight_, {1, 0}, incumbent_);
  if (!thrifty) {
    // The least losses of all were among the labels.
    if (foresight_.is_whole()) lower_ = kInfinite;
    return;
  }
  if (is_in_time(*thrifty)) {
    early_ = thrifty;
    return;
  }
  late_ = thrifty;
  const auto quick = sketch_plan(foresight_, {0, 1}, incumbent_);
  if (quick && is_in_time(*quick)) early_ = quick;
  if (plan()) early_ = plan()->end();
}

void ForesightPlanner::look_far_enough() {
  while (some_placement_is_cheap_enough() && foresight_.reaches(foresight_.epochs() + 1)) {
  }
  ranges_.emplace(foresight_);
}

bool ForesightPlanner::some_placement_is_cheap_enough() const {
  for (std::size_t p = 0; p < foresight_.ways().placements(); ++p) {
    const Foresight::Spot& spot = foresight_.spot(foresight_.epochs(), p);
    if (spot.is_reachable && spot.least_energy < upper()) return true;
  }
  return false;
}

// --- bounds --------------------------------------------------------------------------------------

// What a plan that is in time and better than the incumbent costs less than.
double ForesightPlanner::cut_for(const CostWeights& weights) const {
  return weights.energy == 0 ? deadline_ * (1 + kClosed) : upper() + weights.time * deadline_;
}

std::size_t ForesightPlanner::affordable(std::size_t buckets) const {
  const std::size_t layers = static_cast<std::size_t>(ranges_->epochs()) + 1;
  const std::size_t most = kMostWork / (layers * (foresight_.ways().all().size() + 1));
  return std::min(buckets, std::max(most, kLeastBuckets));
}

std::unique_ptr<CostToGo> ForesightPlanner::bound(const CostWeights& weights, std::size_t buckets) {
  auto rest = std::make_unique<CostToGo>(foresight_, *ranges_, weights, cut_for(weights),
                                         affordable(buckets));
  if (weights.energy > 0) raise_lower(rest->from_start() - weights.time * deadline_);
  return rest;
}

// Forgets losses that plans better than the incumbent do not pass through.
void ForesightPlanner::narrow(const CostToGo& rest) {
  const CostSoFar so_far(foresight_, *ranges_, rest.weights(), affordable(kCoarse));
  LossRanges narrower = *ranges_;
  for (int epoch = 0; epoch <= ranges_->epochs(); ++epoch) {
    for (std::size_t p = 0; p < ranges_->placements(); ++p) {
      if (!ranges_->at(epoch, p).is_empty())
        narrower.narrow(epoch, p, so_far.worthwhile(rest, epoch, p, cut_for(rest.weights())));
    }
  }
  narrower.trim();
  ranges_ = std::move(narrower);
}

// The deadline does not seem to bind.
void ForesightPlanner::bound_energy() {
  const auto rest = bound({1, 0}, kCoarse);
  const State end = incumbent_.offer(rest->best_path());
  if (is_closed()) return;
  narrow(*rest);
  if (!is_in_time(end)) late_ = end;
}

// Nothing is known that is in time.
void ForesightPlanner::bound_time() {
  const auto rest = bound({0, 1}, kCoarse);
  if (rest->from_start() > deadline_ * (1 + kRounding)) {
    lower_ = kInfinite;
    return;
  }
  const State end = incumbent_.offer(rest->best_path());
  if (is_in_time(end)) early_ = end;
  narrow(*rest);
}

// Secant steps between a plan that is late and one that is in time.
void ForesightPlanner::bound_with_price() {
  double best = 0;
  double best_bound = -kInfinite;
  for (int i = 0; i < kMaxPrices && price_between() > 0; ++i) {
    price_ = price_between();
    const auto rest = bound({1, price_}, kCoarse);
    const double bound = rest->from_start() - price_ * deadline_;
    if (bound > best_bound) {
      best_bound = bound;
      best = price_;
    }
    const State end = incumbent_.offer(rest->best_path());
    search_narrowly(*rest);
    if (is_done()) break;
    narrow(*rest);
    if (!improves(end)) break;
    (is_in_time(end) ? early_ : late_) = end;
  }
  price_ = best;
}

// That makes the late plan and the early one equal; 0 if there is none.
double ForesightPlanner::price_between() const {
  const double price = (early_->energy - late_->energy).value / (late_->time - early_->time).value;
  return price > 0 && std::isfinite(price) ? price : 0;
}

bool ForesightPlanner::improves(const State& end) const {
  const auto value = [&](const State& s) { return s.energy.value + price_ * s.time.value; };
  return value(end) < value(*late_) * (1 - kClosed);
}

void ForesightPlanner::search_narrowly(const CostToGo& rest) {
  ForesightSearch search(foresight_, {&rest}, incumbent_);
  raise_lower(search.run(kNarrow, limits_));
  labels_ += search.labels();
}

// --- proof ---------------------------------------------------------------------------------------

void ForesightPlanner::bound_finely() {
  if (late_) bounds_.push_back(bound({0, 1}, kFine));
  for (const double factor : kOtherPrices) {
    if (price_ > 0) bounds_.push_back(bound({1, factor * price_}, kFine));
  }
  bounds_.push_back(bound({1, price_}, kFine));
  incumbent_.offer(bounds_.back()->best_path());
}

void ForesightPlanner::search() {
  std::vector<const CostToGo*> bounds;
  for (const auto& bound : bounds_) bounds.push_back(bound.get());
  ForesightSearch search(foresight_, std::move(bounds), incumbent_);
  for (const std::size_t width : kWidths) {
    if (is_done() || search.labels() > limits_.max_labels) break;
    raise_lower(search.run(width, limits_));
  }
  labels_ += search.labels();
}

}  // namespace espalier
