// SPDX-License-Identifier: Apache-2.0
// For tests of transitions alone: no files, no clock, no threads.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "orchestrator/narration.h"
#include "orchestrator/run_state.h"

namespace espalier {

inline ObjectRef network_called(const std::string& name) { return object_of(name); }

// A run that is told what happens.
class TransitionTest : public testing::Test {
 protected:
  void happen(RunHappening what, double at = 0) {
    now_ = std::max(now_, at);
    const RunEvent event{{now_}, std::move(what)};
    RunTransition next = on(setup, state, event);
    told = Narrator(setup).tell(state, event, next.state);
    state = std::move(next.state);
    actions = std::move(next.actions);
  }
  template <class Action>
  int count() const {
    int found = 0;
    for (const RunAction& action : actions) found += std::holds_alternative<Action>(action);
    return found;
  }
  template <class Action>
  const Action& the() const {
    for (const RunAction& action : actions)
      if (const auto* one = std::get_if<Action>(&action)) return *one;
    throw std::runtime_error("no such action");
  }
  void come(const std::string& name) {
    const auto& node = state.nodes.at({name});
    Hello hello{"", node.samples, 10, 1, 32, 32, "first", "test"};
    happen(NodeCame{{name}, node.nodes, hello});
  }
  void all_come() {
    for (const ExpectedNode& node : setup.expected) come(node.name.value);
  }
  void report(const NodeName& node, double loss, const std::string& update = "",
              const EnergyReading& energy = {}) {
    TaskResult result;
    result.energy = energy;
    result.task = state.round.id;
    result.loss = {loss};
    result.samples = 10;
    if (!update.empty()) result.update = network_called(update);
    happen(ResultCame{node, result, ""});
  }
  void all_report(double loss, bool with_updates) {
    const auto members = state.round.members;
    for (const auto& [name, result] : members)
      report(name, loss, with_updates ? name.value + std::to_string(state.epoch_number()) : "");
  }
  void begin_and_look() {
    happen(RunBegan{});
    all_come();
    happen(NetworkMade{network_called("fresh")});
    all_report(2.0, false);
  }
  PlanDecided plan_at(PlacementId placement) const {
    PlanDecided plan;
    plan.verdict = Verdict::Feasible;
    plan.next = Step{placement, {1.5}, {1}, {1}, 0};
    plan.stages = {{placement, 1, {1.5}, {1}, {1}}};
    return plan;
  }
  PlacementId here() const { return state.now().placement; }

  explicit TransitionTest(Accounting accounting = Accounting::Modelled)
      : setup(setup_with(accounting)) {}

  const RunSetup setup;
  RunState state = first_state(setup);
  std::vector<RunAction> actions;
  std::vector<RunLine> told;  // of the last event

 private:
  static RunSetup setup_with(Accounting accounting) {
    RunSetup setup = fakes::setup_for_fakes();
    setup.accounting = accounting;
    return setup;
  }

  double now_ = 0;
};

class MeasuredTransition : public TransitionTest {
 protected:
  MeasuredTransition() : TransitionTest(Accounting::Measured) {}

  // Everybody of the round breaks, until its node set counts as broken.
  void all_fail(double at) {
    const std::size_t broken = state.broken.size();
    while (state.broken.size() == broken && state.activity == Activity::Working) {
      const auto members = state.round.members;
      for (const auto& [name, result] : members) {
        TaskResult failed;
        failed.task = state.round.id;
        failed.end = TaskEnd::Failed;
        failed.energy = {{3}, Provenance::Measured, "a sensor"};
        happen(ResultCame{name, failed, ""}, at);
      }
    }
  }
  void all_tell(double loss, bool with_updates, const EnergyReading& energy) {
    const auto members = state.round.members;
    for (const auto& [name, result] : members)
      report(name, loss, with_updates ? name.value : "", energy);
  }
  void train_and_look(const EnergyReading& energy, double at) {
    all_tell(1.9, true, energy);
    happen(RoundCombined{network_called("mean" + std::to_string(state.epoch_number()))}, at);
    all_tell(1.8, false, energy);
  }
  PlacementId at_silver() const {
    for (std::size_t i = 0; i < setup.problem.size(); ++i) {
      const PlacementId id{static_cast<std::int32_t>(i)};
      const Placement& at = setup.problem.training(id).at;
      if (at.nodes.index == 1 && at.model == setup.problem.training(here()).at.model) return id;
    }
    return {};
  }
};

}  // namespace espalier
