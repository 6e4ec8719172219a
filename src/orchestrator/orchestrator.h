// SPDX-License-Identifier: Apache-2.0
// Carries a run on: takes what happens, keeps it in the journal, and does what follows.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "orchestrator/adviser.h"
#include "orchestrator/checkpoints.h"
#include "orchestrator/front_desk.h"
#include "orchestrator/journal.h"
#include "orchestrator/run_directory.h"

namespace espalier {

// Told of everything that happens, after it is in the journal.
using RunObserver =
    std::function<void(const RunState& before, const RunEvent& event, const RunState& after)>;

// Where the round under way stands, or the next one.
struct RoundProgress {
  TaskId round{};
  RoundKind kind = RoundKind::FirstLook;
  PlacementId placement{};  // that is planned; where nothing is yet, the one of the start
  double done = 0;          // by samples, 0 to 1
  // Who has yet to come, or to come back; others wait for them.
  std::vector<NodeName> awaited{};
};

// Told now and then while a run goes on; nothing: no nodes are at work, and none are awaited.
using ProgressObserver = std::function<void(const std::optional<RoundProgress>&)>;

// Borrowed, but for the observers.
struct OrchestratorTools {
  ObjectStore& objects;
  const Clock& clock;
  Adviser& adviser;
  RunObserver observer{};
  DeskOptions desk{};
  ProgressObserver progress{};
};

// Its functions belong to one thread, all but those of its desk.
class Orchestrator {
 public:
  // `past`: what the journal holds. All borrowed.
  Orchestrator(const RunSetup& setup, const RunDirectory& directory, Journal& journal,
               const std::vector<RunEvent>& past, OrchestratorTools tools);

  FrontDesk& desk() { return desk_; }
  Checkpoints& checkpoints() { return checkpoints_; }
  const RunState& state() const { return state_; }

  // Begins the run, or goes on where it was.
  void begin(RunBegan began = {}, std::stop_token stop = {});
  // Deals with all that has arrived and is due, without waiting for anything more. REQUIRES: begun.
  void turn(std::stop_token stop = {});
  // Turns until the run has ended.
  void run(std::stop_token stop);
  // Goes on telling nodes that it is over until all know, or that long.
  void see_off(Seconds at_most);
  bool has_ended() const { return state_.end.has_value(); }
  std::optional<RoundProgress> progress() const;

 private:
  Seconds run_time() const { return started_at_ + (tools_.clock.now() - started_); }
  void restore_network();
  void restore_round();
  void keep_last_checkpoint();
  // One transition; actions wait until the event is in the journal.
  void happen(RunHappening what);
  void take(std::span<Letter> letters);
  void take(ReportedResult& letter);
  void count_work_of(const ReportedResult& letter);
  void remember_paid(const NodeName& node, const TaskId& task);
  void count_dropped();
  void flush(std::stop_token stop);
  void wait_for_letters();
  // Reads the updates of all these results, which takes long, side by side.
  void look_at_updates(std::span<const Letter> letters);
  std::string fault_of(const NodeName& node, const TaskResult& result) const;
  Architecture expected_update() const;
  const Architecture& architecture_of(const ObjectRef& network) const;
  Architecture full_network() const;
  Architecture model_network(ModelId model) const;

  void perform(const KeepEvent&, const std::stop_token&) {}
  void perform(const DispatchTask& action, const std::stop_token&);
  void perform(const WithdrawTask& action, const std::stop_token&);
  void perform(const MakeNetwork& action, const std::stop_token&);
  void perform(const CombineUpdates& action, const std::stop_token&);
  void perform(const KeepCheckpoint& action, const std::stop_token&);
  void perform(const DropObjects& action, const std::stop_token&);
  void perform(const AskStrategy& action, const std::stop_token& stop);
  void perform(const FinishRun& action, const std::stop_token&);
  bool is_needed(const ObjectRef& object) const;

  const RunSetup& setup_;
  const RunDirectory directory_;
  Journal& journal_;
  OrchestratorTools tools_;
  const Seconds started_;  // on the clock
  RunState state_;
  Seconds started_at_{};  // in the run
  Mailbox mailbox_;
  FrontDesk desk_;
  Checkpoints checkpoints_;
  ResultsDropped dropped_;                      // that the journal does not have yet
  std::set<std::pair<TaskId, NodeName>> paid_;  // of the last epochs: whose energy counts already

  struct Told {
    RunState before;
    RunEvent event;
    RunState after;
  };
  std::vector<RunEvent> unkept_;
  std::vector<Told> untold_;
  std::deque<RunAction> undone_;
  std::vector<std::function<void()>> unanswered_;
  std::map<ObjectRef, std::string> faults_;  // of updates that were looked at together
  mutable std::optional<ObjectRef> known_network_;
  mutable Architecture known_architecture_;
};

}  // namespace espalier
