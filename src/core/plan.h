// SPDX-License-Identifier: Apache-2.0
// A plan: which placement trains in each epoch, and what that leads to. And what planning returns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/chance.h"
#include "core/problem.h"

namespace espalier {

// After one epoch at `placement`: cumulative time and energy, and the loss.
struct Step {
  PlacementId placement{};
  Loss loss{};
  Seconds time{};
  Joules energy{};
  std::uint64_t paid = 0;  // as in State
  // Right after the change that the epoch began with, if there was one and somebody looked.
  std::optional<Loss> arrival{};
};

// A run of epochs at one placement. Time and energy are those of the stage alone, its change
// included.
struct Stage {
  PlacementId placement{};
  int epochs = 0;
  Seconds time{};
  Joules energy{};
  Loss loss{};  // at its end
};

struct Plan {
  State start{};
  std::vector<Step> steps;

  // The state after the last step.
  State end() const;
  // The state after `count` steps.
  State after(std::size_t count) const;
  std::vector<Stage> stages() const;
  // Epochs whose model or node set differs from the one before; a change of level is none.
  int switches(const Problem& problem) const;
};

// One epoch at `to` that ends at `loss`: the state after it. REQUIRES: the change is possible.
State state_after(const Problem& problem, const State& from, PlacementId to, const Change& change,
                  Loss loss);

// Follows `placements` from `start` under an estimate and stops at the first epoch that reaches the
// goal, or before the first change that is impossible or lifts the loss above the ceiling.
Plan follow(const Problem& problem, Estimator estimator, const State& start,
            std::span<const PlacementId> placements);

// The same without stopping at the goal: for plans that go on for runs that are less lucky.
Plan follow_to_end(const Problem& problem, Estimator estimator, const State& start,
                   std::span<const PlacementId> placements);

// One epoch at `to`: the change, then the epoch. Nothing if the change is impossible, the placement
// cannot train, or the jump lifts the loss above the ceiling.
std::optional<State> advance(const Problem& problem, Estimator estimator, const State& from,
                             PlacementId to);

enum class Verdict {
  Optimal,     // proved: no plan costs less
  Feasible,    // reaches the goal; may not be the cheapest
  Infeasible,  // proved: no plan of this kind reaches the goal
  Limit,       // stopped early; the plan, if any, is the best so far
};

// What could be had instead of an unreachable goal.
struct Nearest {
  std::optional<Loss> loss;         // least loss by the deadline
  std::optional<Seconds> deadline;  // earliest time for the target loss
  std::optional<double>
      probability{};  // highest for this loss and deadline, where one is asked for
};

struct SearchStats {
  std::int64_t labels = 0;
  std::int64_t bytes = 0;  // held by the search at its largest
};

struct PlanResult {
  Verdict verdict = Verdict::Infeasible;
  std::optional<Plan> plan;
  Estimator estimator = Estimator::Expected;  // under which the plan's losses hold
  Joules lower_bound{};                       // no plan of this kind costs less
  std::optional<Chance> chance;               // where the strategy promises a probability
  std::vector<std::string> notes;  // what the reader should know: fall-backs, coarse grids
  SearchStats stats;

  // What the plan costs: on average, where it is a matter of luck how far it is followed.
  // REQUIRES: plan.
  Joules cost() const { return chance ? chance->mean_energy : plan->end().energy; }
  // (energy − lower bound) / energy; 0 without a plan.
  double gap() const;
};

}  // namespace espalier
