// SPDX-License-Identifier: Apache-2.0
// One transition of a run: takes an event, changes the state, and says what is to be done. Its
// functions lie with the kind of event that they are about: run_step_nodes.cpp, …_rounds.cpp,
// …_results.cpp, …_course.cpp and …_time.cpp.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "orchestrator/run_state.h"

namespace espalier {

// Owned by one thread; for one event.
class RunStep {
 public:
  RunStep(const RunSetup& setup, RunState state, Seconds at)
      : setup_(setup), state_(std::move(state)) {
    state_.at = std::max(state_.at, at);
  }

  RunTransition end() &&;
  std::vector<NodeName> awaited() const;

  // The one of the event.
  void on(const RunBegan& began);
  void on(const RunResumed&);
  void on(const NodeCame& came);
  void on(const NodeHeard& heard);
  void on(const NodeSilent& silent);
  void on(const NodeGone& gone);
  void on(const NetworkMade& made);
  void on(const ResultCame& came);
  void on(const RoundCombined& combined);
  void on(const PlanDecided& plan);
  void on(const TimePassed&);
  void on(const StopAsked&);
  void on(const WentBack& back);
  void on(const ResultsDropped& dropped);

 private:
  void keep() { actions_.emplace_back(KeepEvent{}); }
  void drop(std::vector<ObjectRef> objects) {
    actions_.emplace_back(DropObjects{std::move(objects)});
  }

  // nodes come and go
  NodeRecord* find(const NodeName& name);
  void expect_nodes();
  void begin_round_anew_for(const NodeName& name);
  void lose(NodeRecord& node);
  void go_on_with_nodes();
  void go_on_without_nodes();

  // rounds begin
  void begin(RoundKind kind);
  NodeSetId set_for(RoundKind kind) const;
  NodeSetId any_usable(NodeSetId otherwise) const;
  bool is_left_out(const NodeRecord& node) const;
  void try_to_begin();
  void make_network();
  std::vector<NodeName> chosen_for_round(std::vector<NodeName> ready) const;
  void start(NodeSetId nodes, const std::vector<NodeName>& ready);
  std::int64_t samples_of(const Round& round) const;
  void dispatch();

  // rounds end
  void give_up_on(const NodeName& name, bool may_try_again);
  void withdraw_unfinished_tasks();
  void withdraw_unfinished();
  void pay(const EnergyReading& energy);
  // Looks whether the round is over.
  void settle();
  std::int64_t samples_in(const Round& round) const;
  bool waits_for_somebody(const Round& round, std::int64_t samples) const;
  bool is_somebody_left(NodeSetId nodes) const;
  void repeat();
  // Nobody of the node set can do the next round.
  void fail_set(NodeSetId nodes);
  std::vector<ObjectRef> updates_besides(const ObjectRef& kept) const;
  void remember_usual();
  void complete();

  // from epoch to epoch
  Step step_to(PlacementId to, Loss loss) const;
  EnergySource source_of_epoch(const Step& step) const;
  void owe_since_then(const State& before, const EnergySource& source);
  void close_epoch(Loss loss, bool was_looked_at);
  void judge();
  void decide();
  void wait_for_nodes();
  void compare_with_known(const PlanDecided& plan);
  void has_no_plan(const PlanDecided& plan);
  void finish(Ending ending);

  // what is due
  bool gives_up_expecting() const;
  bool is_past_deadline() const;
  bool is_too_late_to_train() const;
  bool is_past_cut_off() const;
  void mark_late();
  bool is_tired_of_waiting() const;
  bool is_anybody_there() const;
  bool have_all_diverged() const;
  Ending why_nobody_works() const;

  const RunSetup& setup_;
  RunState state_;
  std::vector<RunAction> actions_;
};

}  // namespace espalier
