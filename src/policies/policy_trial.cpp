// SPDX-License-Identifier: Apache-2.0
#include "policies/policy_trial.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "realisations/confidence.h"
#include "realisations/truth.h"

namespace espalier {
namespace {

// Runs of a block go epoch by epoch together: they need the same part of the values at the same
// time, and it stays in the cache.
constexpr std::size_t kBlock = 500;
// Epochs that take no time could go on for ever.
constexpr int kMostEpochs = 1'000'000;

// Evenly lucky runs are picked from so many times as many.
constexpr std::size_t kChoice = 8;

struct Tally {
  std::size_t reached = 0;
  double energy = 0;
};

class Block {
 public:
  Block(const GridPolicy& policy, const TrialOptions& options, const OnTheWay& start,
        std::span<const std::size_t> runs)
      : policy_(policy), problem_(policy.map().problem()), options_(options) {
    const LuckKnown known{start.belief.mean(), std::sqrt(start.belief.variance())};
    for (const std::size_t run : runs)
      runs_.push_back({Truth(problem_, options.seed, run, known), start.now, start.belief});
  }

  Tally finish(const std::stop_token& stop) {
    for (int epoch = 0; epoch < kMostEpochs && !runs_.empty() && !stop.stop_requested(); ++epoch)
      std::erase_if(runs_, [&](Run& run) { return !goes_on(run); });
    return tally_;
  }

 private:
  struct Run {
    Truth truth;
    State now;
    RunBelief belief;
  };

  bool goes_on(Run& run) {
    const bool is_reached = problem_.goal().reached(run.now.loss, run.now.time);
    const auto to = is_reached ? std::nullopt : policy_.choose(run.now, run.belief);
    if (!to) {
      tally_.reached += is_reached ? 1 : 0;
      tally_.energy += run.now.energy.value;
      return false;
    }
    const State before = run.now;
    run.now = *run.truth.advance(before, *to);
    if (options_.learns_luck) run.belief.observe(problem_, before, run.now);
    return true;
  }

  const GridPolicy& policy_;
  const Problem& problem_;
  const TrialOptions& options_;
  std::vector<Run> runs_;
  Tally tally_;
};

std::vector<std::size_t> all_runs(std::size_t count) {
  std::vector<std::size_t> runs(count);
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  return runs;
}

Chance tried(std::span<const std::size_t> runs, const GridPolicy& policy,
             const TrialOptions& options, const OnTheWay& start, const std::stop_token& stop) {
  const std::size_t blocks = (runs.size() + kBlock - 1) / kBlock;
  std::vector<Tally> tallies(blocks);
  for_each_index(blocks, options.workers, [&](unsigned, std::size_t i) {
    const auto block = runs.subspan(i * kBlock, std::min(kBlock, runs.size() - i * kBlock));
    tallies[i] = Block(policy, options, start, block).finish(stop);
  });
  Tally total;
  for (const Tally& tally : tallies) {
    total.reached += tally.reached;
    total.energy += tally.energy;
  }
  const auto count = static_cast<double>(runs.size());
  return {static_cast<double>(total.reached) / count, clopper_pearson(total.reached, runs.size()),
          runs.size(), Joules{total.energy / count}};
}

}  // namespace

// Of many runs in the order of their luck, every so many.
std::vector<std::size_t> evenly_lucky_runs(const Problem& problem, const TrialOptions& options) {
  struct Candidate {
    double luck = 0;
    std::size_t run = 0;
  };
  std::vector<Candidate> candidates;
  for (std::size_t run = 0; run < kChoice * options.runs; ++run)
    candidates.push_back({Truth(problem, options.seed, run).luck_of_run(), run});
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.luck < b.luck; });
  std::vector<std::size_t> runs;
  for (std::size_t i = kChoice / 2; i < candidates.size(); i += kChoice)
    runs.push_back(candidates[i].run);
  return runs;
}

Chance try_policy(const GridPolicy& policy, const TrialOptions& options,
                  const std::stop_token& stop) {
  return try_policy_on(all_runs(options.runs), policy, options, stop);
}

Chance try_policy_on(std::span<const std::size_t> runs, const GridPolicy& policy,
                     const TrialOptions& options, const std::stop_token& stop) {
  return tried(runs, policy, options, {policy.map().problem().start(), {}}, stop);
}

Chance try_policy_from(const OnTheWay& start, const GridPolicy& policy, const TrialOptions& options,
                       const std::stop_token& stop) {
  return tried(all_runs(options.runs), policy, options, start, stop);
}

}  // namespace espalier
