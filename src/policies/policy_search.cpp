// SPDX-License-Identifier: Apache-2.0
#include "policies/policy_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "policies/policy_trial.h"
#include "realisations/confidence.h"

namespace espalier {
namespace {

// The coarse grid, relative to the fine one.
constexpr std::size_t kCoarserLosses = 3;
constexpr std::size_t kCoarserTimes = 2;
// Prices of a miss from the least bill over the first of these to the largest times the second.
constexpr double kCheapest = 4;
constexpr double kDearest = 256;
// From one price to the next, and within these once more.
constexpr double kPriceRatio = 4;
constexpr std::size_t kFinerPrices = 5;
// How far around the price that suffices on the coarse grid to look on the fine one, on which less
// tends to suffice.
constexpr double kBelow = 1.15;
constexpr double kAbove = 1.08;
// The judge uses so many times the realisations that the search does, and that the coarse one does.
constexpr std::size_t kFewer = 8;
constexpr std::size_t kFewerOnCoarseGrid = 16;
constexpr int kMostJudgements = 6;
constexpr int kMostTrials = 4;           // for each judgement
constexpr double kCloseEnough = 1.5e-3;  // to the demanded probability
// What is demanded beyond what the judge needs to be sure, in units of that: more makes policies
// dearer, less makes judgements fail. At first, and after a judgement failed.
constexpr double kMargin = 0.25;
constexpr double kNextMargin = 0.5;

// What a run costs that stays at one placement until the deadline.
struct Bills {
  double least = 0;
  double largest = 0;
};

Bills bills_of(const PolicyMap& map) {
  Bills bills{1e300, 0};
  for (const PolicyMap::Target& target : map.targets()) {
    const double steps = std::max(1.0, static_cast<double>(target.time.whole) + target.time.share);
    const double epochs = static_cast<double>(map.time_knots()) / steps;
    const double bill = target.energy * std::max(1.0, epochs);
    if (bill > 0) bills.least = std::min(bills.least, bill);
    bills.largest = std::max(bills.largest, bill);
  }
  if (bills.largest < bills.least) return {1, 1};  // no target, or all of them free
  return bills;
}

std::vector<double> geometric(double low, double high, std::size_t count) {
  std::vector<double> prices;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    prices.push_back(low * std::pow(high / low, share));
  }
  return prices;
}

class PolicySearch {
 public:
  PolicySearch(const Problem& problem, const PolicySearchOptions& options,
               const std::stop_token& stop)
      : problem_(problem), options_(options), stop_(stop) {
    const double promise = problem.goal().probability;
    const double hits = std::round(promise * static_cast<double>(options.runs));
    doubt_ = promise - clopper_pearson(static_cast<std::size_t>(hits), options.runs).low;
    demand(promise + (1 + kMargin) * doubt_);
    runs_ = sample(kFewer);
    few_runs_ = sample(kFewerOnCoarseGrid);
  }

  FoundPolicy run() {
    start_on_fine_grid(price_on_coarse_grid());
    FoundPolicy found;
    for (std::uint64_t round = 1; round <= kMostJudgements && !stop_.stop_requested(); ++round) {
      bracket();
      const Tried tried = cheapest_that_suffices();
      found.policy = tried.policy;
      const TrialOptions fresh{options_.runs, options_.seed + round, options_.workers};
      found.chance = try_policy(*found.policy, fresh, stop_);
      const double missing = problem_.goal().probability - found.chance.interval.low;
      found.keeps_promise = missing <= 0;
      if (found.keeps_promise || dear_.share < demand_) break;
      demand(std::max(demand_, tried.share) + missing + kNextMargin * doubt_);
    }
    if (stop_.stop_requested()) found.policy = nullptr;
    found.bytes = bytes_;
    return found;
  }

 private:
  using Policy = std::shared_ptr<const GridPolicy>;
  using Map = std::shared_ptr<const PolicyMap>;

  struct Tried {
    Policy policy;
    double share = 0;   // of runs that reach the goal
    double energy = 0;  // their mean
  };

  // No policy reaches the goal more often than always.
  void demand(double probability) { demand_ = std::min(probability, 1.0); }
  bool suffices(const Tried& tried) const { return tried.share >= demand_; }

  std::vector<Policy> solve(const Map& map, const std::vector<double>& prices) const {
    std::vector<Policy> policies(prices.size());
    for_each_index(prices.size(), options_.workers, [&](unsigned, std::size_t i) {
      policies[i] =
          std::make_shared<const GridPolicy>(map, prices[i], sweep_policy(*map, prices[i], stop_));
    });
    return policies;
  }

  std::vector<std::size_t> sample(std::size_t fewer) const {
    const std::size_t runs = std::max<std::size_t>(1, options_.runs / fewer);
    return evenly_lucky_runs(problem_, {runs, options_.seed});
  }

  Tried tried(Policy policy) const { return tried(std::move(policy), runs_); }
  Tried tried(Policy policy, std::span<const std::size_t> runs) const {
    const TrialOptions options{runs.size(), options_.seed, options_.workers};
    const Chance chance = try_policy_on(runs, *policy, options, stop_);
    return {std::move(policy), chance.probability, chance.mean_energy.value};
  }

  // The price that should just suffice.
  double price_on_coarse_grid() {
    const PolicyResolution fine = affordable(problem_, options_.resolution);
    const auto map = std::make_shared<const PolicyMap>(
        problem_,
        PolicyResolution{fine.losses / kCoarserLosses + 1, fine.times / kCoarserTimes + 1});
    const Bills bills = bills_of(*map);
    const double lowest = bills.least / kCheapest;
    highest_ = bills.largest * kDearest;
    const double ratios = std::log(highest_ / lowest) / std::log(kPriceRatio);
    const Ends wide =
        around_demand(map, geometric(lowest, highest_, static_cast<std::size_t>(ratios) + 2));
    const Ends ends = around_demand(
        map, geometric(wide.low.policy->miss(), wide.high.policy->miss(), kFinerPrices));
    const double rise = ends.high.share - ends.low.share;
    const double share = rise > 0 ? (demand_ - ends.low.share) / rise : 1;
    return ends.low.policy->miss() +
           std::clamp(share, 0.0, 1.0) * (ends.high.policy->miss() - ends.low.policy->miss());
  }

  // Neighbours of which the dearer one suffices, as far as there are any.
  struct Ends {
    Tried low;
    Tried high;
  };
  Ends around_demand(const Map& map, const std::vector<double>& prices) const {
    const std::vector<Policy> policies = solve(map, prices);
    std::vector<Tried> results(policies.size());
    const auto result = [&](std::size_t i) -> const Tried& {
      if (!results[i].policy) results[i] = tried(policies[i], few_runs_);
      return results[i];
    };
    std::size_t low = 0;
    std::size_t high = policies.size() - 1;
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (suffices(result(middle)) ? high : low) = middle;
    }
    return {result(low), result(high)};
  }

  void start_on_fine_grid(double price) {
    map_ = std::make_shared<const PolicyMap>(problem_, affordable(problem_, options_.resolution));
    const double high = std::min(highest_, price * kAbove);
    const std::vector<Policy> ends = solve(map_, {high / (kAbove * kBelow), high});
    cheap_ = tried(ends[0]);
    dear_ = tried(ends[1]);
    // With the one that is being tried there are three.
    bytes_ = 3 * ends[0]->bytes() - 2 * map_->bytes();
  }

  // Moves cheap_ and dear_ until only dear_ suffices, or nearly so, or nothing dearer exists.
  void bracket() {
    const double ratio = dear_.policy->miss() / cheap_.policy->miss();
    while (!suffices(dear_) && dear_.policy->miss() < highest_ && !stop_.stop_requested()) {
      known_.clear();
      cheap_ = std::move(dear_);
      dear_ = tried(solve(map_, {std::min(highest_, cheap_.policy->miss() * ratio)})[0]);
    }
    while (cheap_.share - demand_ > kCloseEnough && cheap_.energy > 0 && !stop_.stop_requested()) {
      known_.clear();
      dear_ = std::move(cheap_);
      cheap_ = tried(solve(map_, {dear_.policy->miss() / ratio})[0]);
    }
  }

  // A policy between cheap_ and dear_ that was tried.
  struct Known {
    double at = 0;
    double share = 0;
    double energy = 0;
  };

  // A dearer miss does not always cost more: values are approximate.
  Tried cheapest_that_suffices() {
    if (suffices(cheap_)) return cheap_;
    for (int i = 0; i < kMostTrials && !stop_.stop_requested(); ++i) {
      const Known above = least_above();
      if (above.share - demand_ <= kCloseEnough) break;
      const Known below = most_below(above);
      // Where a straight line would be, but well inside.
      const double guess = (demand_ - below.share) / (above.share - below.share);
      const double at = below.at + std::clamp(guess, 0.2, 0.8) * (above.at - below.at);
      const Tried between = tried(at_share(at));
      known_.push_back({at, between.share, between.energy});
    }
    Known best{1, dear_.share, dear_.energy};
    for (const Known& known : known_) {
      if (known.share >= demand_ && known.energy < best.energy) best = known;
    }
    return {best.at == 1 ? dear_.policy : at_share(best.at), best.share, best.energy};
  }

  Known least_above() const {
    Known least{1, dear_.share, dear_.energy};
    for (const Known& known : known_) {
      if (known.share >= demand_ && known.at < least.at) least = known;
    }
    return least;
  }

  Known most_below(const Known& above) const {
    Known most{0, cheap_.share, cheap_.energy};
    for (const Known& known : known_) {
      if (known.share < demand_ && known.at > most.at && known.at < above.at) most = known;
    }
    return most;
  }

  Policy at_share(double share) const {
    return std::make_shared<const GridPolicy>(
        GridPolicy::between(*cheap_.policy, *dear_.policy, share));
  }

  const Problem& problem_;
  const PolicySearchOptions& options_;
  const std::stop_token stop_;
  double demand_ = 0;
  double doubt_ = 0;    // how far the judge's lower end is below a share near the promise
  double highest_ = 0;  // price
  std::vector<std::size_t> runs_;
  std::vector<std::size_t> few_runs_;  // for the coarse grid
  Map map_;
  Tried cheap_;  // does not suffice
  Tried dear_;   // suffices, as a rule
  std::vector<Known> known_;
  std::int64_t bytes_ = 0;
};

}  // namespace

FoundPolicy find_policy(const Problem& problem, const PolicySearchOptions& options,
                        const std::stop_token& stop) {
  ESPALIER_CHECK(problem.goal().deadline > problem.start().time);
  return PolicySearch(problem, options, stop).run();
}

}  // namespace espalier
