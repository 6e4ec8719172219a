// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_state.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/provenance.h"
#include "orchestrator/round_tasks.h"

namespace espalier {
namespace {

// Nodes that need longer than so many times what half of the others, or the plan, took are not
// waited for.
constexpr double kStragglerFactor = 3;

bool is_usable(const RunState& state, NodeSetId nodes) {
  if (state.broken.contains(nodes)) return false;
  return std::ranges::any_of(state.nodes, [&](const auto& entry) {
    return entry.second.nodes == nodes && entry.second.presence != Presence::Lost;
  });
}

std::vector<NodeSetId> unusable_sets(const RunSetup& setup, const RunState& state) {
  std::vector<NodeSetId> sets;
  for (std::size_t i = 0; i < setup.scenario.node_sets.size(); ++i) {
    const NodeSetId nodes{static_cast<std::int32_t>(i)};
    if (!is_usable(state, nodes)) sets.push_back(nodes);
  }
  return sets;
}

bool some_epoch_fits(const Problem& problem, const State& now) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PlacementId to{static_cast<std::int32_t>(i)};
    const auto change = problem.change(now.placement, to);
    if (!change || !problem.training(to).possible) continue;
    if (now.time + change->time + problem.training(to).time <= problem.goal().time_bound())
      return true;
  }
  return false;
}

// Before a fresh network is there, nodes on other machines may take their time.
bool expects_forever(const RunSetup& setup, const RunState& state) {
  return setup.accounting == Accounting::Measured && state.network.sha256.empty();
}

Seconds cut_off(const RunSetup& setup, const RunState& state, const Round& round) {
  Seconds usual = *round.half_in - round.began;
  if (setup.accounting == Accounting::Measured && round.kind == RoundKind::Train && state.plan)
    usual = std::max(usual, setup.problem.training(state.plan->next->placement).time);
  return *round.half_in + std::max(usual * kStragglerFactor, setup.patience.wait);
}

std::vector<UpdateToCombine> updates_of(const Round& round) {
  std::vector<UpdateToCombine> updates;
  for (const auto& [node, result] : round.members) {
    if (result && result->update)
      updates.push_back({node, *result->update, static_cast<double>(result->samples)});
  }
  return updates;
}

// One transition. Owned by one thread.
class Stepper {
 public:
  Stepper(const RunSetup& setup, RunState state, Seconds at)
      : setup_(setup), state_(std::move(state)) {
    state_.at = std::max(state_.at, at);
  }

  RunTransition end() && { return {std::move(state_), std::move(actions_)}; }

  void on(const RunBegan&) {
    keep();
    state_.expecting_since = state_.at;
  }

  void on(const RunResumed&) {
    keep();
    if (state_.end && can_resume(*state_.end)) state_.end.reset();
    for (auto& [name, node] : state_.nodes) node.presence = Presence::Expected;
    state_.broken.clear();
    state_.expecting_since = state_.at;
    state_.gather_until = {};
    if (!state_.end && state_.activity == Activity::Waiting) decide();
  }

  void on(const NodeCame& came) {
    keep();
    if (!state_.images) state_.images = came.hello;
    NodeRecord& node = state_.nodes[came.node];
    node.nodes = came.nodes;
    node.samples = came.hello.samples;
    node.hello = came.hello;
    node.presence = Presence::Online;
    state_.broken.erase(came.nodes);
    go_on_with_nodes();
  }

  void on(const NodeHeard& heard) {
    NodeRecord* node = find(heard.node);
    if (node == nullptr || node->presence == Presence::Online) return;
    keep();
    node->presence = Presence::Online;
    go_on_with_nodes();
  }

  void on(const NodeSilent& silent) {
    NodeRecord* node = find(silent.node);
    if (node == nullptr || node->presence != Presence::Online) return;
    keep();
    node->presence = Presence::Silent;
  }

  void on(const NodeGone& gone) {
    NodeRecord* node = find(gone.node);
    if (node == nullptr || node->presence == Presence::Lost) return;
    keep();
    lose(gone.node, *node);
    go_on_without_nodes();
  }

  void on(const NetworkMade& made) {
    if (state_.activity != Activity::Making) return;
    keep();
    state_.network = made.network;
    begin(RoundKind::FirstLook);
  }

  void on(const ResultCame& came) {
    if (receipt_for(state_, came.node, came.result.task) != Receipt::Accepted) return;
    keep();
    if (!came.fault.empty() || came.result.end != TaskEnd::Finished) {
      ++state_.counts.bad_results;
      diverged_ = came.result.end == TaskEnd::Divergent;
      // What broke may work the next time; what is wrong with its data or its answers will not.
      const bool may_try_again = came.fault.empty() && came.result.end == TaskEnd::Failed;
      give_up_on(came.node, may_try_again);
    } else {
      state_.round.members[came.node] = came.result;
      pay(came.result.energy);
    }
    settle();
  }

  void on(const RoundCombined& combined) {
    if (state_.activity != Activity::Combining) return;
    keep();
    drop_updates(combined.network);
    if (!state_.epoch.network.sha256.empty() && state_.epoch.network != combined.network)
      drop({state_.epoch.network});
    state_.epoch.network = combined.network;
    begin(state_.round.kind == RoundKind::Compress ? RoundKind::Train : RoundKind::Look);
  }

  void on(const PlanDecided& plan) {
    if (state_.activity != Activity::Deciding) return;
    keep();
    state_.asked.push_back({state_.epoch_number(), plan.without});
    const bool has_changed = !state_.plan || !goes_on(*state_.plan, plan);
    if (state_.plan && has_changed) ++state_.counts.replans;
    state_.plan = plan;
    if (!state_.promised && !plan.stages.empty()) state_.promised = plan.stages.back();
    if (!plan.next) return has_no_plan(plan);
    state_.epoch = {.began = state_.at};
    const Placement& from = setup_.problem.training(state_.now().placement).at;
    const Placement& to = setup_.problem.training(plan.next->placement).at;
    begin(from.model != to.model ? RoundKind::Compress : RoundKind::Train);
  }

  void on(const TimePassed&) {
    if (gives_up_expecting()) {
      keep();
      for (auto& [name, node] : state_.nodes)
        if (node.presence == Presence::Expected) lose(name, node);
      go_on_without_nodes();
    } else if (is_past_cut_off()) {
      keep();
      withdraw_unfinished();
      settle();
    } else if (!state_.end && state_.activity == Activity::Gathering &&
               state_.gather_until.value > 0 && state_.at >= state_.gather_until) {
      keep();
      state_.gather_until = {};
      try_to_begin();
    } else if (is_tired_of_waiting()) {
      keep();
      finish(why_nobody_works());
    }
  }

  void on(const StopAsked&) {
    if (state_.end) return;
    keep();
    withdraw_unfinished_tasks();
    finish(Ending::Stopped);
  }

  void on(const WentBack& back) {
    keep();
    withdraw_unfinished_tasks();
    const auto left = static_cast<std::size_t>(back.epochs);
    state_.course.steps.resize(std::min(left, state_.course.steps.size()));
    state_.epochs.resize(std::min(left, state_.epochs.size()));
    state_.end.reset();
    state_.plan.reset();
    state_.epoch = {};
    std::erase_if(state_.asked, [&](const AskedAt& asked) { return asked.epochs >= back.epochs; });
    if (!state_.epochs.empty()) {
      state_.network = state_.epochs.back().network;
      decide();
    } else {
      state_.network = {};
      begin(RoundKind::FirstLook);
    }
  }

 private:
  void keep() { actions_.emplace_back(KeepEvent{}); }
  void drop(std::vector<ObjectRef> objects) {
    actions_.emplace_back(DropObjects{std::move(objects)});
  }

  NodeRecord* find(const NodeName& name) {
    const auto found = state_.nodes.find(name);
    return found == state_.nodes.end() ? nullptr : &found->second;
  }

  bool is_anybody_there() const {
    return std::ranges::any_of(
        state_.nodes, [](const auto& node) { return node.second.presence == Presence::Online; });
  }

  Ending why_nobody_works() const {
    if (!is_anybody_there()) return Ending::NodesGone;
    return state_.broken.empty() ? Ending::NothingToSay : Ending::NodesFail;
  }

  void finish(Ending ending) {
    state_.end = ending;
    actions_.emplace_back(FinishRun{});
  }

  // --- nodes come and go

  void lose(const NodeName& name, NodeRecord& node) {
    node.presence = Presence::Lost;
    ++state_.counts.nodes_lost;
    if (state_.activity != Activity::Working) return;
    const auto member = state_.round.members.find(name);
    if (member == state_.round.members.end() || member->second) return;
    state_.round.members.erase(member);
    actions_.emplace_back(WithdrawTask{name});
  }

  void go_on_with_nodes() {
    if (state_.end) return;
    if (state_.activity == Activity::Gathering) try_to_begin();
    if (state_.activity == Activity::Waiting) decide();
  }

  void go_on_without_nodes() {
    if (state_.end) return;
    if (state_.activity == Activity::Gathering) try_to_begin();
    if (state_.activity == Activity::Working) settle();
  }

  bool gives_up_expecting() const {
    const bool expects = std::ranges::any_of(
        state_.nodes, [](const auto& node) { return node.second.presence == Presence::Expected; });
    return !state_.end && expects && !expects_forever(setup_, state_) &&
           state_.at >= state_.expecting_since + setup_.patience.wait;
  }

  bool is_tired_of_waiting() const {
    return !state_.end && state_.activity == Activity::Waiting &&
           state_.at >= *state_.waiting_since + setup_.patience.give_up;
  }

  // --- rounds

  void begin(RoundKind kind) {
    state_.next = kind;
    state_.activity = Activity::Gathering;
    state_.epoch.attempt = 0;
    state_.gather_until = {};
    try_to_begin();
  }

  NodeSetId set_for(RoundKind kind) const {
    const NodeSetId here = setup_.problem.training(state_.now().placement).at.nodes;
    if (kind == RoundKind::FirstLook) return is_usable(state_, here) ? here : any_usable(here);
    // Who has the network compresses it, before it travels.
    if (kind == RoundKind::Compress && is_usable(state_, here)) return here;
    return setup_.problem.training(state_.plan->next->placement).at.nodes;
  }

  NodeSetId any_usable(NodeSetId otherwise) const {
    for (const auto& [name, node] : state_.nodes)
      if (is_usable(state_, node.nodes)) return node.nodes;
    return otherwise;
  }

  bool is_left_out(const NodeRecord& node) const {
    return node.left_out && *node.left_out == state_.epoch_number();
  }

  void try_to_begin() {
    const NodeSetId nodes = set_for(state_.next);
    std::vector<NodeName> ready;
    bool all_known = true;
    bool all_there = true;
    for (const auto& [name, node] : state_.nodes) {
      if (node.nodes != nodes || is_left_out(node)) continue;
      all_known &= node.presence == Presence::Online || node.presence == Presence::Lost;
      all_there &= node.presence == Presence::Online;
      if (node.presence == Presence::Online) ready.push_back(name);
    }
    if (!all_known) return;
    if (!all_there && !ready.empty() && state_.at < state_.gather_until) return;
    if (ready.empty()) return fail_set(nodes);
    if (state_.network.sha256.empty()) return make_network();
    start(nodes, ready);
  }

  void make_network() {
    state_.activity = Activity::Making;
    const Hello& images = *state_.images;
    actions_.emplace_back(
        MakeNetwork{{images.channels, images.height, images.width}, images.classes});
  }

  std::vector<NodeName> chosen_for_round(std::vector<NodeName> ready) const {
    if (state_.next != RoundKind::Compress) return ready;
    return {*std::ranges::max_element(ready, {}, [&](const NodeName& name) {
      // The first of those that have the most.
      return state_.nodes.at(name).samples;
    })};
  }

  void start(NodeSetId nodes, const std::vector<NodeName>& ready) {
    Round round;
    round.kind = state_.next;
    round.id = {setup_.run, state_.epoch_number(), static_cast<int>(state_.next),
                state_.epoch.attempt};
    round.nodes = nodes;
    round.network = state_.epoch.network.sha256.empty() ? state_.network : state_.epoch.network;
    round.began = state_.at;
    for (const NodeName& name : chosen_for_round(ready)) round.members[name] = std::nullopt;
    round.selected = round.members.size();
    round.quorum = (samples_of(round) + 1) / 2;
    state_.round = std::move(round);
    state_.activity = Activity::Working;
    dispatch();
  }

  std::int64_t samples_of(const Round& round) const {
    std::int64_t samples = 0;
    for (const auto& [name, result] : round.members) samples += state_.nodes.at(name).samples;
    return samples;
  }

  void dispatch() {
    const Task task = task_of(setup_, state_, state_.round);
    for (const auto& [name, result] : state_.round.members) {
      if (!result) actions_.emplace_back(DispatchTask{name, task});
    }
  }

  void give_up_on(const NodeName& name, bool may_try_again) {
    state_.round.members.erase(name);
    NodeRecord* node = find(name);
    if (node != nullptr && !may_try_again) node->left_out = state_.epoch_number();
    actions_.emplace_back(WithdrawTask{name});
  }

  void withdraw_unfinished_tasks() {
    if (state_.activity != Activity::Working) return;
    for (const auto& [name, result] : state_.round.members)
      if (!result) actions_.emplace_back(WithdrawTask{name});
  }

  void withdraw_unfinished() {
    withdraw_unfinished_tasks();
    std::erase_if(state_.round.members, [](const auto& member) { return !member.second; });
  }

  bool is_past_cut_off() const {
    return !state_.end && state_.activity == Activity::Working && state_.round.half_in &&
           state_.at >= cut_off(setup_, state_, state_.round);
  }

  void pay(const EnergyReading& energy) {
    EpochUnderWay& epoch = state_.epoch;
    epoch.energy += energy.energy;
    epoch.provenance =
        epoch.provenance ? weaker(*epoch.provenance, energy.provenance) : energy.provenance;
    if (epoch.source.empty()) epoch.source = energy.source;
  }

  // Looks whether the round is over.
  void settle() {
    if (state_.activity != Activity::Working) return;
    Round& round = state_.round;
    std::size_t in = 0;
    std::int64_t samples = 0;
    for (const auto& [name, result] : round.members) {
      if (!result) continue;
      ++in;
      samples += state_.nodes.at(name).samples;
    }
    if (!round.half_in && in > 0 && 2 * in >= round.selected) round.half_in = state_.at;
    if (in < round.members.size()) return;
    const bool is_last_attempt = state_.epoch.attempt + 1 >= setup_.patience.attempts;
    const bool is_enough =
        round.kind == RoundKind::Compress || samples >= round.quorum || is_last_attempt;
    if (in > 0 && is_enough) return complete();
    repeat();
  }

  void repeat() {
    if (diverged_ && state_.round.members.empty()) return finish(Ending::Diverged);
    ++state_.counts.repeated_rounds;
    drop_updates({});
    const int attempt = state_.epoch.attempt + 1;
    if (attempt >= setup_.patience.attempts) return fail_set(state_.round.nodes);
    state_.epoch.attempt = attempt;
    state_.next = state_.round.kind;
    state_.activity = Activity::Gathering;
    state_.gather_until = state_.at + setup_.patience.wait;
    try_to_begin();
  }

  // Nobody of the node set can do the next round.
  void fail_set(NodeSetId nodes) {
    if (is_usable(state_, nodes)) state_.broken.insert(nodes);
    if (state_.next == RoundKind::Look) return close_epoch(state_.epoch.training_loss, false);
    if (state_.network.sha256.empty()) return wait_for_nodes();
    if (!state_.epoch.network.sha256.empty()) drop({state_.epoch.network});
    state_.epoch = {};
    decide();
  }

  void drop_updates(const ObjectRef& but) {
    std::vector<ObjectRef> objects;
    for (const UpdateToCombine& update : updates_of(state_.round))
      if (update.update != but && update.update != state_.network) objects.push_back(update.update);
    if (!objects.empty()) drop(std::move(objects));
  }

  void complete() {
    const Loss loss = mean_loss(state_, state_.round);
    switch (state_.round.kind) {
      case RoundKind::FirstLook:
        state_.course.start.loss = loss;
        return state_.epochs.empty() ? judge() : decide();
      case RoundKind::Look:
        return close_epoch(loss, true);
      case RoundKind::Train:
        state_.epoch.training_loss = loss;
        state_.epoch.members = state_.round.members.size();
        break;
      case RoundKind::Compress:
        break;
    }
    state_.activity = Activity::Combining;
    actions_.emplace_back(CombineUpdates{state_.round.kind, updates_of(state_.round)});
  }

  // --- epochs

  Step step_to(PlacementId to, Loss loss) const {
    const State from = state_.now();
    const auto change = setup_.problem.change(from.placement, to);
    ESPALIER_CHECK(change.has_value());
    State after = state_after(setup_.problem, from, to, *change, loss);
    if (setup_.accounting == Accounting::Measured) {
      const Joules once = after.paid != from.paid ? setup_.problem.training(to).once : Joules{};
      after.time = from.time + (state_.at - state_.epoch.began);
      after.energy = from.energy + state_.epoch.energy + once;
    }
    return {to, after.loss, after.time, after.energy, after.paid};
  }

  void close_epoch(Loss loss, bool was_looked_at) {
    const PlacementId to = state_.plan->next->placement;
    EpochRecord record{step_to(to, loss), state_.epoch.network, state_.plan->next};
    record.members = state_.epoch.members;
    record.was_looked_at = was_looked_at;
    if (setup_.accounting == Accounting::Measured) {
      record.provenance = state_.epoch.provenance.value_or(Provenance::Modelled);
      record.source = state_.epoch.source;
    } else {
      record.source = "the scenario";
    }
    state_.course.steps.push_back(record.step);
    state_.epochs.push_back(record);
    actions_.emplace_back(
        KeepCheckpoint{state_.epoch_number(), record.network, is_best_so_far(state_)});
    if (record.network != state_.network) drop({state_.network});
    state_.network = record.network;
    state_.epoch = {};
    judge();
  }

  // --- decisions

  void judge() {
    const State now = state_.now();
    if (setup_.problem.goal().reached(now.loss, now.time)) return finish(Ending::Reached);
    if (!some_epoch_fits(setup_.problem, now)) return finish(Ending::DeadlinePassed);
    decide();
  }

  void decide() {
    std::vector<NodeSetId> without = unusable_sets(setup_, state_);
    if (without.size() == setup_.scenario.node_sets.size()) return wait_for_nodes();
    state_.activity = Activity::Deciding;
    state_.waiting_since.reset();
    if (state_.network.sha256.empty()) return begin(RoundKind::FirstLook);
    actions_.emplace_back(AskStrategy{std::move(without)});
  }

  void wait_for_nodes() {
    state_.activity = Activity::Waiting;
    if (!state_.waiting_since) state_.waiting_since = state_.at;
  }

  void has_no_plan(const PlanDecided& plan) {
    if (plan.without.empty()) return finish(Ending::NothingToSay);
    wait_for_nodes();
  }

  // Whether `next` is what was planned before, one epoch later.
  bool goes_on(const PlanDecided& before, const PlanDecided& next) const {
    std::vector<PlacementId> was;
    std::vector<PlacementId> is;
    for (const PlannedStage& stage : before.stages) was.push_back(stage.placement);
    for (const PlannedStage& stage : next.stages) is.push_back(stage.placement);
    if (was == is) return true;
    const bool first_is_over =
        !was.empty() && !before.stages.empty() && before.stages.front().epochs == 1;
    if (first_is_over) was.erase(was.begin());
    return was == is;
  }

  const RunSetup& setup_;
  RunState state_;
  std::vector<RunAction> actions_;
  bool diverged_ = false;  // what came last
};

}  // namespace

bool can_resume(Ending ending) { return ending == Ending::Stopped || ending == Ending::NodesGone; }

bool is_best_so_far(const RunState& state) {
  return !state.epochs.empty() && std::ranges::all_of(state.epochs, [&](const EpochRecord& epoch) {
    return epoch.step.loss >= state.epochs.back().step.loss;
  });
}

RunState first_state(const RunSetup& setup) {
  RunState state;
  state.course.start = setup.problem.start();
  for (const ExpectedNode& node : setup.expected)
    state.nodes[node.name] = {.nodes = node.nodes, .samples = node.samples};
  return state;
}

RunTransition on(const RunSetup& setup, RunState state, const RunEvent& event) {
  Stepper stepper(setup, std::move(state), event.at);
  std::visit([&](const auto& what) { stepper.on(what); }, event.what);
  return std::move(stepper).end();
}

std::vector<RunAction> outstanding(const RunSetup& setup, const RunState& state) {
  if (state.end) return {FinishRun{}};
  std::vector<RunAction> actions;
  switch (state.activity) {
    case Activity::Making:
      actions.emplace_back(
          MakeNetwork{{state.images->channels, state.images->height, state.images->width},
                      state.images->classes});
      break;
    case Activity::Working: {
      const Task task = task_of(setup, state, state.round);
      for (const auto& [name, result] : state.round.members)
        if (!result) actions.emplace_back(DispatchTask{name, task});
      break;
    }
    case Activity::Combining:
      actions.emplace_back(CombineUpdates{state.round.kind, updates_of(state.round)});
      break;
    case Activity::Deciding:
      actions.emplace_back(AskStrategy{unusable_sets(setup, state)});
      break;
    case Activity::Gathering:
    case Activity::Waiting:
      break;
  }
  return actions;
}

std::optional<Seconds> next_timer(const RunSetup& setup, const RunState& state) {
  if (state.end) return std::nullopt;
  std::optional<Seconds> next;
  const auto add = [&](Seconds at) { next = next ? std::min(*next, at) : at; };
  const bool expects = std::ranges::any_of(
      state.nodes, [](const auto& node) { return node.second.presence == Presence::Expected; });
  if (expects && !expects_forever(setup, state)) add(state.expecting_since + setup.patience.wait);
  if (state.activity == Activity::Gathering && state.gather_until.value > 0)
    add(state.gather_until);
  if (state.activity == Activity::Working && state.round.half_in)
    add(cut_off(setup, state, state.round));
  if (state.activity == Activity::Waiting && state.waiting_since)
    add(*state.waiting_since + setup.patience.give_up);
  return next;
}

Receipt receipt_for(const RunState& state, const NodeName& node, const TaskId& task) {
  const Round& round = state.round;
  if (task.run != round.id.run) return Receipt::Unselected;
  if (task != round.id) return Receipt::Late;
  const auto member = round.members.find(node);
  if (member != round.members.end() && member->second) return Receipt::Duplicate;
  if (state.end || state.activity != Activity::Working) return Receipt::Late;
  return member == round.members.end() ? Receipt::Unselected : Receipt::Accepted;
}

Loss mean_loss(const RunState& state, const Round& round) {
  double sum = 0;
  double samples = 0;
  for (const auto& [name, result] : round.members) {
    if (!result) continue;
    const auto weight = static_cast<double>(state.nodes.at(name).samples);
    sum += weight * result->loss.value;
    samples += weight;
  }
  return {samples > 0 ? sum / samples : 0};
}

namespace {

std::optional<NodeSetId> set_named(const Scenario& scenario, const std::string& name) {
  for (std::size_t i = 0; i < scenario.node_sets.size(); ++i)
    if (scenario.node_sets[i].name == name) return NodeSetId{static_cast<std::int32_t>(i)};
  return std::nullopt;
}

bool has_same_images(const Hello& a, const Hello& b) {
  return a.classes == b.classes && a.channels == b.channels && a.height == b.height &&
         a.width == b.width;
}

}  // namespace

Roster roster_of(const RunState& state) {
  Roster roster{{}, state.images};
  for (const auto& [name, node] : state.nodes) roster.nodes.emplace(name, node.nodes);
  return roster;
}

Admission admit(const RunSetup& setup, const Roster& roster, const NodeName& node,
                const Hello& hello) {
  constexpr std::int64_t kMostSamples = 1'000'000'000;
  if (hello.samples < 1 || hello.samples > kMostSamples) return {"it has no samples", {}};
  if (hello.classes < 2 || hello.channels < 1 || hello.height < 1 || hello.width < 1)
    return {"it does not tell what its images are like", {}};
  if (roster.images && !has_same_images(*roster.images, hello))
    return {"its images are not like those of the others", {}};
  const auto known = roster.nodes.find(node);
  const auto wanted = set_named(setup.scenario, hello.nodes);
  if (!hello.nodes.empty() && !wanted) return {"there is no node set '" + hello.nodes + "'", {}};
  if (known != roster.nodes.end()) {
    if (wanted && *wanted != known->second) return {"it belongs to another node set", {}};
    return {"", known->second};
  }
  if (!setup.may_join) return {"nobody of that name is expected", {}};
  if (!wanted) return {"it does not say to which node set it belongs", {}};
  return {"", *wanted};
}

}  // namespace espalier
