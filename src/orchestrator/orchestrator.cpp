// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/orchestrator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/provenance.h"
#include "io/model_file.h"
#include "networks/channel_budget.h"
#include "networks/network_catalogue.h"
#include "orchestrator/run_files.h"
#include "orchestrator/run_timers.h"
#include "orchestrator/stored_object.h"
#include "orchestrator/streamed_average.h"
#include "training/fresh_weights.h"

namespace espalier {
namespace {

// Nobody has to wait longer than this to be noticed.
constexpr double kLongestWait = 0.3;
// What was not told yet has the states around it with it: with hundreds of nodes, not too many.
constexpr std::size_t kLettersAtOnce = 16;
// Who is later than this is not known any more for what it told before.
constexpr int kEpochsRemembered = 8;

bool is_sound(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

Orchestrator::Orchestrator(const RunSetup& setup, const RunDirectory& directory, Journal& journal,
                           const std::vector<RunEvent>& past, OrchestratorTools tools)
    : setup_(setup),
      directory_(directory),
      journal_(journal),
      tools_(std::move(tools)),
      started_(tools_.clock.now()),
      state_(replayed(setup, past)),
      started_at_(state_.at),
      desk_({setup_, mailbox_, tools_.objects, tools_.clock}, roster_of(state_), tools_.desk),
      checkpoints_(directory_.models()) {
  for (const RunEvent& event : past) {
    if (const auto* came = std::get_if<ResultCame>(&event.what))
      remember_paid(came->node, came->result.task);
    if (const auto* dropped = std::get_if<ResultsDropped>(&event.what))
      for (const WorkDone& work : dropped->paid) remember_paid(work.node, work.task);
  }
}

void Orchestrator::begin(RunBegan began, std::stop_token stop) {
  if (journal_.size() == 0) {
    happen(std::move(began));
    return flush(std::move(stop));
  }
  if (state_.end && !can_resume(*state_.end)) {
    keep_last_checkpoint();
    return write_run_files(directory_, setup_, state_);
  }
  restore_network();
  restore_round();
  // Before the run goes on: nobody is awaited while it remembers.
  tools_.adviser.recall(state_, stop);
  happen(RunResumed{});
  undone_.clear();
  for (RunAction& action : outstanding(setup_, state_)) undone_.push_back(std::move(action));
  keep_last_checkpoint();
  write_run_files(directory_, setup_, state_);
  // Plans may take long: nodes find somebody who listens by then.
  if (has_ended() || state_.activity != Activity::Deciding) flush(std::move(stop));
}

// The process may have been killed between the journal and the checkpoint.
void Orchestrator::keep_last_checkpoint() {
  if (state_.epochs.empty() || !tools_.objects.has(state_.network)) return;
  checkpoints_.keep(tools_.objects, state_.epoch_number(), state_.network, is_best_so_far(state_));
}

// The network of the last epoch is needed to go on: from the store, a checkpoint, or the epoch
// before.
void Orchestrator::restore_network() {
  if (state_.network.sha256.empty() || tools_.objects.has(state_.network)) return;
  for (int epochs = state_.epoch_number(); epochs > 0; --epochs) {
    const ObjectRef& network = state_.epochs[static_cast<std::size_t>(epochs - 1)].network;
    const bool is_there = tools_.objects.has(network);
    if (!is_there && !checkpoints_.has(epochs, network)) continue;
    if (!is_there) checkpoints_.restore(tools_.objects, epochs, network);
    if (epochs < state_.epoch_number())
      happen(WentBack{epochs, "the network after the last epoch is damaged or gone"});
    return;
  }
  happen(WentBack{0, "no network of the run is left"});
}

// So is that of the round under way, which may be a compressed one.
void Orchestrator::restore_round() {
  const ObjectRef& network = state_.epoch.network;
  if (network.sha256.empty() || tools_.objects.has(network)) return;
  happen(WentBack{state_.epoch_number(), "the network of the round under way is damaged or gone"});
}

void Orchestrator::happen(RunHappening what) {
  const RunEvent event{run_time(), std::move(what)};
  RunTransition next = on(setup_, state_, event);
  if (next.actions.empty()) return;
  unkept_.push_back(event);
  for (RunAction& action : next.actions) undone_.push_back(std::move(action));
  if (tools_.observer) untold_.push_back({state_, event, next.state});
  state_ = std::move(next.state);
}

void Orchestrator::take(std::span<Letter> letters) {
  look_at_updates(letters);
  for (Letter& letter : letters) {
    if (auto* result = std::get_if<ReportedResult>(&letter)) {
      take(*result);
    } else {
      happen(std::move(std::get<RunHappening>(letter)));
    }
  }
}

void Orchestrator::take(ReportedResult& letter) {
  const Receipt receipt = receipt_for(state_, letter.node, letter.result.task);
  Receipt told = receipt;
  if (receipt == Receipt::Accepted) {
    const std::string fault = fault_of(letter.node, letter.result);
    if (!fault.empty()) told = Receipt::Malformed;
    desk_.withdraw(letter.node);
    happen(ResultCame{letter.node, letter.result, fault});
  }
  if (told == Receipt::Late || told == Receipt::Unselected) count_work_of(letter);
  remember_paid(letter.node, letter.result.task);
  if (told == Receipt::Duplicate) ++dropped_.duplicate;
  if (told == Receipt::Late) ++dropped_.late;
  if (told == Receipt::Unselected) ++dropped_.unselected;
  unanswered_.emplace_back([answer = std::move(letter.answer), told] { answer(told); });
}

// Work of this run that nobody waits for any more; whoever says it twice has done it once.
void Orchestrator::count_work_of(const ReportedResult& letter) {
  const EnergyReading& told = letter.result.energy;
  const TaskId& task = letter.result.task;
  const bool is_new = task.run == setup_.run &&
                      task.epoch + kEpochsRemembered >= state_.epoch_number() &&
                      !paid_.contains({task, letter.node});
  if (!is_new || !is_sound(told.energy.value)) return;
  EnergyReading& all = dropped_.energy;
  if (all.source.empty() || weaker(all.provenance, told.provenance) != all.provenance) {
    all.provenance = told.provenance;
    all.source = told.source;
  }
  all.energy += told.energy;
  dropped_.paid.push_back({task, letter.node});
}

void Orchestrator::remember_paid(const NodeName& node, const TaskId& task) {
  if (task.run != setup_.run) return;
  paid_.emplace(task, node);
  while (!paid_.empty() && paid_.begin()->first.epoch + kEpochsRemembered < state_.epoch_number())
    paid_.erase(paid_.begin());
}

// Together with something that counts, so that nobody fills the journal with what does not.
void Orchestrator::count_dropped() {
  if (unkept_.empty() || dropped_.duplicate + dropped_.late + dropped_.unselected == 0) return;
  happen(std::exchange(dropped_, {}));
}

// The journal first; then people are told, nodes are answered, and what follows is done.
void Orchestrator::flush(std::stop_token stop) {
  while (!unkept_.empty() || !undone_.empty() || !unanswered_.empty()) {
    journal_.append(unkept_);
    append_events(directory_, unkept_);
    unkept_.clear();
    for (const auto& answer : std::exchange(unanswered_, {})) answer();
    for (const Told& told : std::exchange(untold_, {}))
      tools_.observer(told.before, told.event, told.after);
    for (RunAction& action : std::exchange(undone_, {}))
      std::visit([&](const auto& what) { perform(what, stop); }, action);
  }
}

void Orchestrator::turn(std::stop_token stop) {
  desk_.look_around();
  std::vector<Letter> letters = mailbox_.take();
  for (std::span<Letter> left(letters); !left.empty();) {
    const std::span<Letter> some = left.first(std::min(left.size(), kLettersAtOnce));
    take(some);
    left = left.subspan(some.size());
    if (!left.empty()) flush(stop);
  }
  const auto timer = next_timer(setup_, state_);
  if (timer && run_time() >= *timer) happen(TimePassed{});
  count_dropped();
  flush(std::move(stop));
}

void Orchestrator::wait_for_letters() {
  double wait = std::min(kLongestWait, (desk_.next_look() - tools_.clock.now()).value);
  if (const auto timer = next_timer(setup_, state_))
    wait = std::min(wait, (*timer - run_time()).value);
  mailbox_.wait(std::chrono::duration<double>(std::max(0.0, wait)));
}

void Orchestrator::run(std::stop_token stop) {
  const std::stop_callback ask(stop, [this] { mailbox_.post(StopAsked{"somebody asked"}); });
  while (!has_ended()) {
    turn(stop);
    if (tools_.progress) tools_.progress(progress());
    if (!has_ended()) wait_for_letters();
  }
}

std::optional<RoundProgress> Orchestrator::progress() const {
  const std::vector<NodeName> missing = awaited(setup_, state_);
  const bool is_at_work = state_.activity == Activity::Working && !state_.end;
  if (!is_at_work && missing.empty()) return std::nullopt;
  const Round& round = state_.round;
  const bool is_planned = state_.plan && state_.plan->next;
  RoundProgress now{round.id, round.kind,
                    is_planned ? state_.plan->next->placement : state_.now().placement};
  now.awaited = missing;
  if (!is_at_work) return now;
  double all = 0;
  for (const auto& [name, result] : round.members) {
    const auto samples = static_cast<double>(state_.nodes.at(name).samples);
    all += samples;
    now.done += samples * (result ? 1 : desk_.done_by(name));
  }
  if (all > 0) now.done /= all;
  return now;
}

void Orchestrator::see_off(Seconds at_most) {
  const Seconds until = tools_.clock.now() + at_most;
  while (!desk_.has_dismissed_all() && tools_.clock.now() < until) {
    desk_.look_around();
    for (Letter& letter : mailbox_.take()) {
      if (auto* result = std::get_if<ReportedResult>(&letter)) result->answer(Receipt::Late);
    }
    mailbox_.wait(std::chrono::milliseconds(50));
  }
}

// --- what is done
// --------------------------------------------------------------------------------------------

void Orchestrator::perform(const DispatchTask& action, const std::stop_token&) {
  desk_.assign(action.node, action.task);
}

void Orchestrator::perform(const WithdrawTask& action, const std::stop_token&) {
  desk_.withdraw(action.node);
}

Architecture Orchestrator::full_network() const {
  const Hello& images = *state_.images;
  return build_network(
      setup_.training().network,
      {setup_.training().width, images.classes, {images.channels, images.height, images.width}});
}

Architecture Orchestrator::model_network(ModelId model) const {
  const double gone = setup_.scenario.models[model.pos()].prune;
  if (gone == 0) return full_network();
  return pruned_architecture(full_network(), {gone, {}, setup_.training().round_to});
}

void Orchestrator::perform(const MakeNetwork&, const std::stop_token&) {
  const ModelId model = setup_.problem.training(setup_.problem.start().placement).at.model;
  happen(
      NetworkMade{put_network(tools_.objects, fresh_network(model_network(model), setup_.seed))});
}

void Orchestrator::perform(const CombineUpdates& action, const std::stop_token&) {
  const bool all_there = std::ranges::all_of(
      action.updates, [&](const auto& update) { return tools_.objects.has(update.update); });
  if (!all_there) return happen(WentBack{state_.epoch_number(), "updates of nodes are gone"});
  if (action.kind == RoundKind::Compress)
    return happen(RoundCombined{action.updates.front().update});
  happen(RoundCombined{put_average(tools_.objects, action.updates, directory_.objects())});
}

void Orchestrator::perform(const KeepCheckpoint& action, const std::stop_token&) {
  checkpoints_.keep(tools_.objects, action.epochs, action.network, action.is_best);
  // Also of the updates that came too late, or did not count.
  tools_.objects.keep_only(action.network);
  write_metrics(directory_, setup_, state_);
}

bool Orchestrator::is_needed(const ObjectRef& object) const {
  return object == state_.network || object == state_.epoch.network ||
         (state_.activity == Activity::Working && object == state_.round.network);
}

void Orchestrator::perform(const DropObjects& action, const std::stop_token&) {
  for (const ObjectRef& object : action.objects)
    if (!is_needed(object)) tools_.objects.drop(object);
}

void Orchestrator::perform(const AskStrategy& action, const std::stop_token& stop) {
  const State now = standing(setup_, state_);
  const Spent spent{now.time, now.energy};
  const Plan course = with_spent(state_.course, spent);
  PlanResult result = tools_.adviser.plan(course, action.without, stop);
  // What was cut short is not a plan to go by: whoever resumes asks again.
  if (stop.stop_requested()) return;
  result.chance = tools_.adviser.prospect(course.end(), result);
  write_plan(directory_, setup_, state_, result);
  happen(decided(result, action.without, spent));
}

void Orchestrator::perform(const FinishRun&, const std::stop_token&) {
  write_run_files(directory_, setup_, state_);
  // Nodes elsewhere wait for whoever resumes it.
  if (setup_.accounting == Accounting::Measured && can_resume(*state_.end)) return;
  desk_.dismiss(*state_.end == Ending::Stopped ? "the run was stopped" : "the run is over");
}

// --- what nodes send
// -------------------------------------------------------------------------------------

const Architecture& Orchestrator::architecture_of(const ObjectRef& network) const {
  if (known_network_ != network) {
    StoredObject source(tools_.objects, network, "the network of the run");
    known_architecture_ = ModelReader(source).architecture();
    known_network_ = network;
  }
  return known_architecture_;
}

std::string Orchestrator::fault_of(const NodeName& node, const TaskResult& result) const {
  if (!is_sound(result.time.value) || !is_sound(result.energy.energy.value))
    return "its time or energy is no sensible number";
  if (result.end != TaskEnd::Finished) return {};
  if (!is_sound(result.loss.value)) return "its loss is no finite number";
  if (result.samples < 1 || result.samples > state_.nodes.at(node).samples)
    return "it claims more samples than it has";
  const Round& round = state_.round;
  const bool sends = round.kind == RoundKind::Train || round.kind == RoundKind::Compress;
  if (sends != result.update.has_value())
    return sends ? "its update is missing" : "nobody asked for an update";
  if (!sends) return {};
  if (!is_object_ref(*result.update)) return "its update has no proper digest";
  const auto known = faults_.find(*result.update);
  return known != faults_.end()
             ? known->second
             : fault_of_update(tools_.objects, *result.update, expected_update());
}

Architecture Orchestrator::expected_update() const {
  if (state_.round.kind == RoundKind::Train) return architecture_of(state_.round.network);
  return model_network(setup_.problem.training(state_.plan->next->placement).at.model);
}

void Orchestrator::look_at_updates(std::span<const Letter> letters) {
  faults_.clear();
  std::vector<ObjectRef> updates;
  for (const Letter& letter : letters) {
    const auto* told = std::get_if<ReportedResult>(&letter);
    if (told == nullptr || receipt_for(state_, told->node, told->result.task) != Receipt::Accepted)
      continue;
    const auto& update = told->result.update;
    if (update && is_object_ref(*update)) updates.push_back(*update);
  }
  const bool sends =
      state_.round.kind == RoundKind::Train || state_.round.kind == RoundKind::Compress;
  if (updates.size() < 2 || !sends) return;
  const auto faults = faults_of_updates(tools_.objects, updates, expected_update());
  for (std::size_t i = 0; i < updates.size(); ++i) faults_.emplace(updates[i], faults[i]);
}

}  // namespace espalier
