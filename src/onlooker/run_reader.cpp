// SPDX-License-Identifier: Apache-2.0
#include "onlooker/run_reader.h"

#include <fmt/format.h>

#include "core/provenance.h"
#include "onlooker/switch_reason.h"
#include "render/names.h"

namespace espalier {
namespace {

WatchedState watched(Presence presence) {
  switch (presence) {
    case Presence::Expected:
      return WatchedState::Expected;
    case Presence::Online:
      return WatchedState::Online;
    case Presence::Silent:
      return WatchedState::Silent;
    case Presence::Lost:
      break;
  }
  return WatchedState::Lost;
}

RunOutcome outcome_of(Ending ending) {
  switch (ending) {
    case Ending::Reached:
      return RunOutcome::Reached;
    case Ending::DeadlinePassed:
    case Ending::NothingToSay:
      return RunOutcome::Missed;
    case Ending::Stopped:
      return RunOutcome::Stopped;
    default:
      return RunOutcome::Failed;
  }
}

// Whoever narrates compares with the state before; for the many other events it is not copied.
bool needs_narration(const RunHappening& what) {
  return !std::holds_alternative<ResultCame>(what) &&
         !std::holds_alternative<RoundCombined>(what) && !std::holds_alternative<NetworkMade>(what);
}

const NodeName* node_of(const RunHappening& what) {
  if (const auto* came = std::get_if<NodeCame>(&what)) return &came->node;
  if (const auto* heard = std::get_if<NodeHeard>(&what)) return &heard->node;
  if (const auto* result = std::get_if<ResultCame>(&what)) return &result->node;
  return nullptr;
}

std::vector<PlacementId> placements_of(const PlanDecided& plan) {
  std::vector<PlacementId> placements;
  for (const PlannedStage& stage : plan.stages)
    placements.insert(placements.end(), static_cast<std::size_t>(stage.epochs), stage.placement);
  return placements;
}

std::string sourced(const EnergyReading& energy) {
  const std::string how(name_of(energy.provenance));
  return energy.source.empty() ? how : how + ": " + energy.source;
}

}  // namespace

RunHead head_of(const RunSetup& setup, const std::string& name, const std::string& strategy) {
  RunHead head;
  head.name = name;
  head.scenario = setup.scenario.name;
  head.strategy = strategy;
  head.source = setup.accounting == Accounting::Modelled ? "are modelled, as the scenario says"
                                                         : "are what nodes told";
  head.goal = setup.problem.goal();
  head.start_loss = setup.problem.start().loss;
  for (const ModelSpec& model : setup.scenario.models) head.models.push_back(model.name);
  for (const NodeSetSpec& set : setup.scenario.node_sets) head.node_sets.push_back(set.name);
  for (const ExpectedNode& node : setup.expected)
    head.nodes.push_back({node.name.value, setup.scenario.node_sets[node.nodes.pos()].name});
  return head;
}

RunReader::RunReader(const RunSetup& setup)
    : setup_(setup), narrator_(setup), state_(first_state(setup)) {}

std::vector<RunNews> RunReader::read(const RunEvent& event) {
  const std::size_t epochs = state_.epochs.size();
  const bool was_over = state_.end.has_value();
  const bool was_known = state_.is_start_known;
  if (std::holds_alternative<RunResumed>(event.what)) tell(ResumeNews{});
  if (needs_narration(event.what))
    step_and_narrate(event);
  else
    step(event);
  if (state_.is_start_known && !was_known) tell(LookNews{state_.course.start.loss});
  tell_nodes(event);
  tell_epochs(epochs);
  if (state_.end && !was_over) tell_end();
  return std::exchange(news_, {});
}

void RunReader::step(const RunEvent& event) {
  const int repeated = state_.counts.repeated_rounds;
  state_ = on(setup_, std::move(state_), event).state;
  if (const auto* came = std::get_if<ResultCame>(&event.what); came && !came->fault.empty())
    tell(RemarkNews{fmt::format("{} does not count in epoch {}: {}", came->node.value,
                                came->result.task.epoch + 1, came->fault)});
  if (state_.counts.repeated_rounds > repeated)
    tell(RemarkNews{"too few results: the round is repeated"});
}

void RunReader::step_and_narrate(const RunEvent& event) {
  const RunState before = state_;
  state_ = on(setup_, std::move(state_), event).state;
  std::string plan_sentence;
  const auto* plan = std::get_if<PlanDecided>(&event.what);
  for (const RunLine& line : narrator_.tell(before, event, state_)) {
    const std::string kind = line.json.is_object() ? line.json.value("event", "") : "";
    has_plan_ |= kind == "replan";
    if (kind == "plan" || kind == "replan")
      plan_sentence = line.text;
    else if (!line.text.empty() && kind != "epoch" && kind != "end")
      tell(RemarkNews{line.text});
  }
  if (plan) tell_plan(*plan, plan_sentence);
}

void RunReader::tell(NewsContent what) {
  news_.push_back({++last_id_, state_.at, std::move(what)});
}

void RunReader::tell_end() {
  const State now = standing(setup_, state_);
  tell(EndNews{outcome_of(*state_.end), narrator_.ending_text(state_), can_resume(*state_.end),
               now.time, now.energy});
}

void RunReader::tell_nodes(const RunEvent& event) {
  if (const NodeName* node = node_of(event.what)) tallies_[*node].last_seen = event.at;
  if (const auto* came = std::get_if<ResultCame>(&event.what)) {
    Tally& tally = tallies_[came->node];
    const TaskResult& result = came->result;
    tally.energy += result.energy.energy;
    tally.source = sourced(result.energy);
    if (result.task.round == static_cast<int>(RoundKind::Train)) tally.epoch_time = result.time;
    if (result.update) tally.bytes += static_cast<std::int64_t>(result.update->size);
    presences_.erase(came->node);
  }
  for (const auto& [name, node] : state_.nodes) {
    const auto told = presences_.find(name);
    if (told == presences_.end() || told->second != node.presence) tell_node(name);
  }
}

void RunReader::tell_node(const NodeName& name) {
  const NodeRecord& node = state_.nodes.at(name);
  const Tally& tally = tallies_[name];
  presences_[name] = node.presence;
  tell(NodeNews{name.value, setup_.scenario.node_sets[node.nodes.pos()].name,
                watched(node.presence), tally.last_seen, tally.epoch_time, tally.energy,
                tally.source, tally.bytes, node.samples});
}

void RunReader::tell_epochs(std::size_t before) {
  for (std::size_t i = before; i < state_.epochs.size(); ++i) {
    const EpochRecord& record = state_.epochs[i];
    const PlacementId came_from =
        i == 0 ? state_.course.start.placement : state_.epochs[i - 1].step.placement;
    EpochNews news{.epoch = static_cast<int>(i) + 1,
                   .place = place_of(record.step.placement),
                   .loss = record.step.loss,
                   .time = record.step.time,
                   .energy = record.step.energy};
    if (record.planned) {
      news.planned_loss = record.planned->loss;
      news.planned_energy = record.planned->energy;
    }
    news.provenance = record.provenance;
    news.source = record.source;
    news.members = record.members;
    if (came_from != record.step.placement) news.reason = reason_.empty() ? "as planned" : reason_;
    tell(std::move(news));
  }
}

// The first plan is no reason: what it foresees comes as planned.
std::string RunReader::reason_of(const PlanDecided& plan, const std::string& sentence) const {
  const State now = state_.now();
  if (!plan.next || plan.next->placement == now.placement) return "";
  const std::string why = has_plan_ && !sentence.empty() ? sentence : "as planned";
  return why + "; " +
         compared_with_staying(setup_.problem, plan.estimator, now, placements_of(plan));
}

void RunReader::tell_plan(const PlanDecided& plan, const std::string& sentence) {
  reason_ = reason_of(plan, sentence);
  has_plan_ = true;
  tell(PlanNews{static_cast<int>(state_.epochs.size()), plan.verdict, !sentence.empty(), sentence,
                course_of(plan), plan.chance});
}

std::vector<ForeseenStep> RunReader::course_of(const PlanDecided& plan) const {
  const std::vector<PlacementId> placements = placements_of(plan);
  const State now = state_.now();
  const Plan expected = follow_to_end(setup_.problem, Estimator::Expected, now, placements);
  const Plan robust = follow_to_end(setup_.problem, Estimator::Robust, now, placements);
  std::vector<ForeseenStep> course;
  for (std::size_t i = 0; i < expected.steps.size(); ++i) {
    const State after = expected.after(i + 1);
    const Loss worst = i < robust.steps.size() ? robust.steps[i].loss : after.loss;
    course.push_back(
        {after.epoch, place_of(after.placement), after.time, after.energy, after.loss, worst});
  }
  return thinned(course, kMostForeseen);
}

PlaceName RunReader::place_of(PlacementId placement) const {
  const auto names = names_of(setup_.scenario, setup_.problem.training(placement).at);
  return {names.model, names.nodes, names.data.value_or(""), names.level.value_or("")};
}

}  // namespace espalier
