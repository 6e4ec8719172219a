// SPDX-License-Identifier: Apache-2.0
// The role of everything that decides: given where a run stands, say how it should go on.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/plan.h"
#include "core/problem.h"

namespace espalier {

// How far the plan of a strategy that decides anew after every epoch goes, away from the start.
enum class Horizon { NextEpoch, ToTheEnd };

struct PlannerOptions {
  // Which estimate of the learning rules to believe; absent: the strategy's own choice.
  std::optional<Estimator> estimator{};
  // Resolution of the loss in pact's graph; 0: chosen from the goal.
  Loss loss_step{0};
  // Resolution of the time in pact's graph; 0: chosen from the deadline.
  Seconds time_step{0};
  // Whether pact weighs what undoing a switch of models would cost.
  bool weighs_risk = true;
  // pact's risk factor where a switch of models cannot be undone.
  double irreversible_risk = 1;
  // How much lower than the goal expectation-margin aims; absent: as little as keeps the promise.
  std::optional<Loss> margin{};
  // Give up after creating this many labels or vertices; the best plan so far is returned.
  std::int64_t max_labels = 10'000'000;
  // Resolution of policy's grid: losses above the goal, and steps until the deadline.
  std::size_t loss_levels = 300;
  std::size_t time_levels = 500;
  // Realisations on which promises are judged.
  std::size_t judged_runs = 20'000;
  // Of policy. The next epoch is quicker, for thousands of runs; who follows one wants to see more.
  Horizon horizon = Horizon::NextEpoch;
};

// What a strategy can and cannot do, for people and for the commands that choose.
struct StrategyInfo {
  std::string name{};
  std::string summary{};      // one line
  std::string description{};  // a short paragraph
  Estimator estimator = Estimator::Expected;
  bool exact = false;         // proves optimality among its kind of plans
  bool anytime = false;       // stopped early it still has a plan
  bool tiny_only = false;     // too slow for anything but the smallest cases
  bool promises = false;      // reaches the goal with the probability asked for
  bool commits = false;       // stands by its first plan, whatever is observed
  bool remembers = false;     // decides by what it was asked before, too
  bool chooses_data = false;  // among the data options of the scenario
};

// A strategy at work on one problem. May keep what it computed for the next call. Owned by one
// thread.
class Planner {
 public:
  virtual ~Planner() = default;
  // Always an answer; returns soon after `stop` is requested.
  virtual PlanResult plan(const State& now, std::stop_token stop) = 0;
  // Another one for the same problem that shares what this one has found out so far; null if that
  // would save nothing.
  virtual std::unique_ptr<Planner> fork() const { return nullptr; }
};

// Immutable.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual const StrategyInfo& info() const = 0;
  // `problem` must outlive the planner.
  virtual std::unique_ptr<Planner> planner(const Problem& problem,
                                           const PlannerOptions& options) const = 0;
};

}  // namespace espalier
