// SPDX-License-Identifier: Apache-2.0
#include "evidence/trials.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/parallel.h"
#include "evidence/arena.h"

namespace espalier {
namespace {

struct ArenaPlace {
  std::string regime{};
  double target = 0;
  std::size_t split = 0;
  friend auto operator<=>(const ArenaPlace&, const ArenaPlace&) = default;
};
using Arenas = std::map<ArenaPlace, Arena>;

const Regime& regime_named(const EvidenceInput& input, const std::string& id) {
  const auto found = std::ranges::find(input.regimes, id, &Regime::id);
  ESPALIER_CHECK(found != input.regimes.end());
  return *found;
}

Arenas arenas_for(std::span<const TargetTrial> trials, const EvidenceInput& input) {
  Arenas arenas;
  for (const TargetTrial& trial : trials) {
    Scenario scenario = input.scenario;
    scenario.goal.loss = Loss{trial.target};
    scenario.goal.deadline = regime_named(input, trial.regime).deadline;
    for (std::size_t split = 0; split < input.splits.size(); ++split)
      arenas.try_emplace({trial.regime, trial.target, split}, scenario,
                         input.splits[split].judged_rows,
                         input.forecasters.empty() ? nullptr : &input.forecasters[split]);
  }
  return arenas;
}

// One seed's try.
struct Try {
  const TargetTrial* trial = nullptr;
  const Arena* arena = nullptr;
  std::size_t run = 0;
  std::uint64_t seed = 0;
};

// By seed within each trial. Seeds that the world leaves out do not try.
std::vector<Try> tries_of(std::span<const TargetTrial> trials, const EvidenceInput& input,
                          const Arenas& arenas) {
  std::vector<Try> tries;
  for (const TargetTrial& trial : trials) {
    const std::size_t first = tries.size();
    for (std::size_t split = 0; split < input.splits.size(); ++split) {
      const Arena& arena = arenas.at({trial.regime, trial.target, split});
      for (std::size_t run = 0; run < arena.seed_count(); ++run)
        tries.push_back({&trial, &arena, run, arena.world().seed_of(run)});
    }
    std::ranges::sort(tries.begin() + static_cast<std::ptrdiff_t>(first), tries.end(), {},
                      &Try::seed);
  }
  return tries;
}

}  // namespace

std::vector<TargetTrial> trials_of(const EvidenceInput& input, const std::string& regime,
                                   std::span<const Contender> contenders,
                                   std::span<const double> targets) {
  std::vector<TargetTrial> trials;
  if (std::ranges::find(input.regimes, regime, &Regime::id) == input.regimes.end()) return trials;
  for (const double target : targets) {
    for (const Contender& contender : contenders) trials.push_back({regime, target, contender});
  }
  return trials;
}

std::vector<TargetTrial> without_repeats(std::vector<TargetTrial> trials,
                                         const EvidenceInput& input) {
  std::set<std::tuple<std::string, double, std::string>> seen;
  std::erase_if(trials, [&](const TargetTrial& trial) {
    if (trial.contender.needs_estimators() && input.forecasters.empty()) return true;
    return !seen.insert({trial.regime, trial.target, trial.contender.name}).second;
  });
  return trials;
}

std::size_t try_count(std::span<const TargetTrial> trials, const EvidenceInput& input) {
  std::size_t seeds = 0;
  for (const SeedSplit& split : input.splits) seeds += split.judged.size();
  return trials.size() * seeds;
}

std::vector<TryOutcome> hold_trials(std::span<const TargetTrial> trials, const EvidenceInput& input,
                                    const std::stop_token& stop,
                                    const std::function<void()>& done) {
  const Arenas arenas = arenas_for(trials, input);
  const std::vector<Try> tries = tries_of(trials, input, arenas);
  std::vector<TryOutcome> outcomes(tries.size());
  for_each_index(tries.size(), input.workers, [&](unsigned, std::size_t i) {
    if (stop.stop_requested()) return;
    const TargetTrial& trial = *tries[i].trial;
    const Arena& arena = *tries[i].arena;
    TryOutcome& outcome = outcomes[i];
    outcome = outcome_of(arena.problem(), arena.live(trial.contender, tries[i].run, stop));
    outcome.regime = trial.regime;
    outcome.contender = trial.contender.name;
    outcome.target = trial.target;
    outcome.seed = tries[i].seed;
    done();
  });
  if (stop.stop_requested()) outcomes.clear();
  return outcomes;
}

std::vector<const TryOutcome*> outcomes_of(const Findings& findings, const std::string& regime,
                                           const std::string& contender, double target) {
  std::vector<const TryOutcome*> found;
  for (const TryOutcome& outcome : findings.outcomes) {
    if (outcome.regime == regime && outcome.contender == contender && outcome.target == target)
      found.push_back(&outcome);
  }
  return found;
}

}  // namespace espalier
