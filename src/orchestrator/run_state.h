// SPDX-License-Identifier: Apache-2.0
// Where a run stands, and how it goes on: pure transitions, without files, clocks and threads.
//
// A run gathers nodes, looks at the loss of a fresh network, and then goes from epoch to epoch: a
// plan; where it changes the model, one node compresses the network; all nodes of a set train it;
// what they make of it is averaged; all look at the average. Each of these is a round of tasks.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/plan.h"
#include "core/provenance.h"
#include "orchestrator/run_event.h"
#include "orchestrator/run_setup.h"
#include "wire/link.h"

namespace espalier {

// Of the transitions: another number whenever the same events would lead to another state. A
// journal can only be read by the rules that it was written by.
constexpr int kRunRules = 4;

// The values are those of TaskId::round.
enum class RoundKind { Compress = 0, Train = 1, Look = 2, FirstLook = 3 };

enum class Presence {
  Expected,  // did not come yet, or not since the run was resumed
  Online,
  Silent,  // not heard of for a while
  Lost,
};

struct NodeRecord {
  NodeSetId nodes{};
  std::int64_t samples = 0;
  Hello hello{};  // the last one; without an incarnation: it never came
  Presence presence = Presence::Expected;
  std::optional<int> left_out{};  // of this epoch, because of what it sent
  bool has_diverged = false;      // which was that
  bool was_lost = false;
  bool is_late = false;  // was not waited for, and has trained nothing in time since
};

enum class Activity {
  Gathering,  // waits for the nodes of the next round
  Making,     // of the fresh network
  Working,    // nodes have tasks
  Combining,  // of what the nodes sent
  Deciding,   // asks the strategy
  Waiting,    // no node set is to be had
};

enum class Ending {
  Reached,
  DeadlinePassed,  // no further epoch fits before the deadline
  NothingToSay,    // the strategy has no plan, not even a last resort
  Diverged,        // losses that are no finite numbers, wherever it is trained
  Stopped,         // by somebody
  NodesGone,
  NodesFail,  // they are there, but none can do its work
};
// Whether a run that ended so can go on.
bool can_resume(Ending ending);

// Rounds that take about as long as each other.
struct RoundSort {
  RoundKind kind = RoundKind::FirstLook;
  NodeSetId nodes{};
  auto operator<=>(const RoundSort&) const = default;
};

struct Round {
  TaskId id{};
  RoundKind kind = RoundKind::FirstLook;
  NodeSetId nodes{};
  ObjectRef network{};                                      // that it begins with
  std::map<NodeName, std::optional<TaskResult>> members{};  // that are still counted on
  std::size_t selected = 0;                                 // members at its beginning
  std::size_t diverged = 0;                                 // of them
  std::int64_t samples = 0;                                 // that they have
  double quorum = 0.5;  // share of the samples without which those who are lost are waited for
  Seconds began{};
  std::optional<Seconds> first_in{};  // since when somebody is done
  std::optional<Seconds> half_in{};   // and half of the samples

  RoundSort sort() const { return {kind, nodes}; }
};

// An epoch that is over.
struct EpochRecord {
  Step step{};
  ObjectRef network{};
  std::optional<Step> planned{};
  Provenance provenance = Provenance::Modelled;  // of time and energy
  std::string source{};
  std::size_t members = 0;   // whose updates count
  std::size_t selected = 0;  // who were asked for one
  bool was_looked_at = true;
};

// The epoch that is under way.
struct EpochUnderWay {
  int attempt = 0;  // of the round
  Loss training_loss{};
  std::size_t members = 0;
  std::size_t selected = 0;
  ObjectRef network{};  // compressed, then averaged
};

// What went by since the last epoch ended, or since the first plan, and is on no epoch's account
// yet: the one under way, rounds that came to nothing, waiting. Only counts where it is measured.
struct Outlay {
  std::optional<Seconds> since{};
  std::optional<Seconds> until{};  // the end of the run
  Joules energy{};                 // as nodes tell it
  std::optional<EnergySource> source{};
};

// The plan that people know: small steps away from it add up to a change.
struct KnownPlan {
  PlanDecided plan{};
  int epochs = 0;  // that were over then
};

// When the strategy was asked, for planners that remember.
struct AskedAt {
  int epochs = 0;
  std::vector<NodeSetId> without{};
  std::optional<Spent> spent{};
};

struct RunCounts {
  int nodes_lost = 0;   // at any time
  int bad_results = 0;  // failed or malformed
  ResultsDropped dropped{};
  int repeated_rounds = 0;
  int replans = 0;  // that changed the plan
};

struct RunState {
  Activity activity = Activity::Gathering;
  RoundKind next = RoundKind::FirstLook;  // while gathering
  std::optional<Ending> end{};
  std::map<NodeName, NodeRecord> nodes{};
  std::optional<Hello> images{};  // the first node's: all have the same kind
  Plan course{};                  // what happened: true losses
  std::vector<EpochRecord> epochs{};
  ObjectRef network{};                // after the last epoch
  bool is_start_known = false;        // the loss of the fresh network
  std::optional<PlanDecided> plan{};  // before the first one: what was agreed to
  std::optional<KnownPlan> known{};
  std::optional<PlannedStage> promised{};  // the end of what was agreed to, or of the first plan
  Round round{};
  std::map<RoundSort, Seconds> usual{};  // the longest that half of such a round took
  EpochUnderWay epoch{};
  int first_attempt = 0;  // that no round had before the run went back, or gave one up
  std::size_t told = 0;   // epochs that people know of: the last one waits for what is next
  Outlay outlay{};
  std::set<NodeSetId> broken{};   // node sets whose rounds failed too often
  Seconds expecting_since{};      // nodes that did not come yet: since the last one came
  bool has_anybody_come = false;  // since then
  Seconds gather_until{};         // unless all are there
  std::optional<Seconds> waiting_since{};
  std::vector<AskedAt> asked{};
  RunCounts counts{};
  Seconds at{};  // of the last event

  State now() const { return course.end(); }
  int epoch_number() const { return static_cast<int>(course.steps.size()); }
};

// --- what is to be done
// -----------------------------------------------------------------------------

// The event counts and is to be kept before anything else is done.
struct KeepEvent {};
struct DispatchTask {
  NodeName node;
  Task task;
};
struct WithdrawTask {
  NodeName node;
};
struct MakeNetwork {
  ImageShape shape;
  std::int64_t classes = 0;
};
struct UpdateToCombine {
  NodeName node;
  ObjectRef update;
  double weight = 0;
};
// Make one network of the updates, in this order.
struct CombineUpdates {
  RoundKind kind{};
  std::vector<UpdateToCombine> updates;
};
struct KeepCheckpoint {
  int epochs = 0;
  ObjectRef network;
  bool is_best = false;
};
struct DropObjects {
  std::vector<ObjectRef> objects;
};
struct AskStrategy {
  std::vector<NodeSetId> without;
};
struct FinishRun {};

using RunAction = std::variant<KeepEvent, DispatchTask, WithdrawTask, MakeNetwork, CombineUpdates,
                               KeepCheckpoint, DropObjects, AskStrategy, FinishRun>;

struct RunTransition {
  RunState state;
  std::vector<RunAction> actions;
};

RunState first_state(const RunSetup& setup);

// After the last epoch, with all that was spent since.
State standing(const RunSetup& setup, const RunState& state);
// Where the weakest part of the energy comes from: of the first epochs; of all, and since.
EnergySource energy_source_of(const RunSetup& setup, const RunState& state, std::size_t epochs);
EnergySource energy_source(const RunSetup& setup, const RunState& state);

// An event that changes nothing has no actions.
RunTransition on(const RunSetup& setup, RunState state, const RunEvent& event);

// Where all of them lead to. Error{RunFailed}: they are not those of a run.
RunState replayed(const RunSetup& setup, std::span<const RunEvent> past);

// What is under way in this state: all of it is to be done again by whoever resumes the run.
std::vector<RunAction> outstanding(const RunSetup& setup, const RunState& state);

// Who has yet to come, or to come back, for the next round to begin or for this one to go on.
std::vector<NodeName> awaited(const RunSetup& setup, const RunState& state);

// What a result of this node would be now; Accepted: if there is nothing wrong with what is in it.
Receipt receipt_for(const RunState& state, const NodeName& node, const TaskId& task);

// The first of those with the lowest loss, from 1 on. REQUIRES: an epoch is over.
std::size_t best_epoch(const RunState& state);
// Whether every epoch before the last one ended with a higher loss.
bool is_best_so_far(const RunState& state);

// By samples, of the results that are in.
Loss mean_loss(const RunState& state, const Round& round);

// In the order of the nodes' names.
std::vector<UpdateToCombine> updates_of(const Round& round);

// Whether somebody of the node set is there, or may come, who can do work.
bool is_usable(const RunState& state, NodeSetId nodes);
std::vector<NodeSetId> unusable_sets(const RunSetup& setup, const RunState& state);

}  // namespace espalier
