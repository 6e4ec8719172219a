// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/narration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/provenance.h"
#include "io/wording.h"
#include "orchestrator/event_json.h"
#include "render/figures.h"
#include "render/names.h"
#include "render/text.h"

namespace espalier {
namespace {

// Differences that are worth a word.
constexpr double kNotable = 0.1;

Json step_json(const RunSetup& setup, const Step& step, const EnergySource& source) {
  const PlacementNames names = names_of(setup.scenario, setup.problem.training(step.placement).at);
  Json value{{"model", names.model},
             {"nodes", names.nodes},
             {"loss", step.loss.value},
             {"time", step.time.value},
             {"energy", step.energy.value}};
  if (names.data) value["data"] = *names.data;
  if (names.level) value["level"] = *names.level;
  value.update(source_json(source));
  return value;
}

Json plan_json(const RunSetup& setup, const PlanDecided& plan) {
  Json stages = Json::array();
  for (const PlannedStage& stage : plan.stages) {
    stages.push_back({{"placement", setup.problem.name_of(stage.placement)},
                      {"epochs", stage.epochs},
                      {"loss", stage.loss.value},
                      {"time", stage.time.value},
                      {"energy", stage.energy.value}});
    stages.back().update(source_json(planned_source()));
  }
  Json value{{"verdict", name_of(plan.verdict)}, {"stages", stages}, {"notes", plan.notes}};
  value["probability"] = plan.chance ? Json(plan.chance->probability) : Json();
  return value;
}

}  // namespace

namespace {

bool has_looked(const RunState& before, const RunState& after) {
  return after.is_start_known && !before.is_start_known;
}

// What a strategy says of a plan that it does not have.
std::string reasons(const PlanDecided& plan) {
  return plan.notes.empty() ? "" : ": " + listed(plan.notes);
}

// By the plan that was made then.
std::optional<Chance> chance_after(const RunState& state, std::size_t epoch) {
  const bool is_newest = epoch == state.epochs.size() && !state.asked.empty() &&
                         state.asked.back().epochs == state.epoch_number();
  return is_newest && state.plan ? state.plan->chance : std::nullopt;
}

}  // namespace

std::string_view name_of(Ending ending) {
  constexpr std::array<std::string_view, 7> kNames{
      "goal-reached", "deadline-passed", "nothing-to-say", "diverged",
      "stopped",      "nodes-gone",      "nodes-fail"};
  return kNames[static_cast<std::size_t>(ending)];
}

std::string Narrator::set_name(NodeSetId nodes) const {
  return setup_.scenario.node_sets[nodes.pos()].name;
}

std::string Narrator::missing_names(const PlanDecided& plan) const {
  std::vector<std::string> names;
  for (const NodeSetId nodes : plan.without) names.push_back(set_name(nodes));
  return listed(names);
}

std::string Narrator::missing_text(const PlanDecided& plan) const {
  return plan.without.empty() ? "" : "without " + missing_names(plan) + " ";
}

std::string Narrator::stages_text(const PlanDecided& plan) const {
  std::string text;
  for (const PlannedStage& stage : plan.stages) {
    text += text.empty() ? "" : ", then ";
    text += fmt::format(
        "{} of {}", text.empty() ? counted(stage.epochs, "epoch") : fmt::format("{}", stage.epochs),
        setup_.problem.name_of(stage.placement));
  }
  return text.empty() ? "nothing" : text;
}

RunLine Narrator::epoch_line(const RunState& state, std::size_t epoch) const {
  const EpochRecord& record = state.epochs[epoch - 1];
  const Step& step = record.step;
  const Goal& goal = setup_.problem.goal();
  const auto planned = [&](auto&& figure) {
    return record.planned ? fmt::format(" (planned {})", figure(*record.planned)) : std::string();
  };
  const Seconds left = goal.deadline - step.time;
  const EnergySource source = energy_source_of(setup_, state, epoch);
  std::string text = fmt::format(
      "epoch {:<3} loss {}{} · {} · {} {}{} · {}", epoch, loss_figure(step.loss),
      planned([](const Step& s) { return loss_figure(s.loss); }),
      setup_.problem.name_of(step.placement), energy_figure(step.energy),
      name_of(source.provenance), planned([](const Step& s) { return energy_figure(s.energy); }),
      left.value >= 0 ? duration(left) + " left" : duration(left * -1) + " too late");
  const auto chance = chance_after(state, epoch);
  if (chance) text += fmt::format(" · P {:.3f}", chance->probability);
  if (record.members < record.selected)
    text += fmt::format(" · {} of {}", record.members,
                        counted(static_cast<long long>(record.selected), "node"));
  if (!record.was_looked_at) text += " · loss while training";
  Json value{{"event", "epoch"}, {"epoch", epoch}};
  value.update(step_json(setup_, step, source));
  value["planned"] = record.planned ? step_json(setup_, *record.planned, planned_source()) : Json();
  value["selected"] = record.selected;
  value["members"] = record.members;
  value["time_left"] = left.value;
  value["probability"] = chance ? Json(chance->probability) : Json();
  return {text, Style::Plain, value};
}

RunLine Narrator::first_look_line(const RunState& state) const {
  const auto count = [&](Presence presence) {
    return std::ranges::count_if(
        state.nodes, [&](const auto& node) { return node.second.presence == presence; });
  };
  const auto here = count(Presence::Online);
  const auto missing = count(Presence::Expected);
  std::string who = fmt::format("{} {} here", counted(here, "node"), here == 1 ? "is" : "are");
  if (missing > 0)
    who =
        fmt::format("{} of {} nodes are here, the others {}", here, here + missing,
                    setup_.accounting == Accounting::Modelled ? "are starting" : "may still come");
  return {
      fmt::format("{}; the fresh network has loss {}", who, loss_figure(state.course.start.loss)),
      Style::Plain,
      {{"event", "first-look"},
       {"loss", state.course.start.loss.value},
       {"nodes_here", here},
       {"nodes_missing", missing}}};
}

// Why a plan is another one than before, as far as that can be told from what happened.
std::string Narrator::why_changed(const RunState& before, const PlanDecided& plan) const {
  if (!plan.without.empty() && plan.without != before.plan->without) {
    return "there is nobody of " + missing_names(plan);
  }
  if (plan.without.empty() && !before.plan->without.empty()) return "nodes have come back";
  if (before.asked.empty())
    return fmt::format("the fresh network has loss {}, and not {}",
                       loss_figure(before.course.start.loss),
                       loss_figure(setup_.problem.start().loss));
  if (before.epoch_number() == before.asked.back().epochs) return "time was lost";
  const EpochRecord& last = before.epochs.back();
  if (!last.planned) return "the run went back";
  const double loss = last.step.loss.value - last.planned->loss.value;
  const Seconds late = last.step.time - last.planned->time;
  const std::size_t earlier = before.epochs.size() - 1;
  const Seconds began = earlier > 0 ? before.epochs[earlier - 1].step.time : Seconds{};
  if (late > std::max(Seconds{1e-9}, last.planned->time - began) * kNotable)
    return "the epoch took longer than planned";
  if (std::abs(loss) <= 1e-6 * std::max(1.0, last.step.loss.value)) return "it costs less so";
  return fmt::format("the loss fell {} than planned, to {} and not {}", loss > 0 ? "less" : "more",
                     loss_figure(last.step.loss), loss_figure(last.planned->loss));
}

// From elsewhere; nodes of this machine come by themselves.
bool Narrator::has_come_in_time(const RunState& before) const {
  return setup_.accounting == Accounting::Measured && before.activity == Activity::Gathering;
}

std::string Narrator::waiting_text(const RunState& state) const {
  std::vector<std::string> names;
  for (const NodeName& name : awaited(setup_, state)) names.push_back(name.value);
  return names.empty() ? "" : "; waiting for " + listed(names);
}

RunLine Narrator::of_plan(const RunState& before, const PlanDecided& plan,
                          const RunState& after) const {
  Json value{{"event", "plan"}, {"after_epoch", before.epochs.size()}};
  value.update(plan_json(setup_, plan));
  if (!plan.next)
    return {missing_text(plan) + "there is no plan that could go on from here" + reasons(plan),
            Style::Warning, value};
  if (after.counts.replans == before.counts.replans) {
    const bool is_first = !before.plan || before.asked.empty();
    return {is_first ? "the plan: " + stages_text(plan) : "", Style::Accent, value};
  }
  const std::string why = why_changed(before, plan);
  value["event"] = "replan";
  value["why"] = why;
  return {fmt::format("new plan, because {}: {}", why, stages_text(plan)), Style::Accent, value};
}

std::vector<RunLine> Narrator::of_node(const RunState& before, const NodeName& node,
                                       const RunState& after) const {
  const auto was = before.nodes.find(node);
  const auto is = after.nodes.find(node);
  if (is == after.nodes.end()) return {};
  const NodeRecord& record = is->second;
  const bool is_new = was == before.nodes.end() || was->second.hello.incarnation.empty();
  std::string what;
  Style style = Style::Plain;
  switch (record.presence) {
    case Presence::Online:
      if (was == before.nodes.end())
        what = "has joined";
      else if (was->second.presence == Presence::Expected)
        what = has_come_in_time(before) ? "has come" : "";
      else if (is_new)
        what = "has come";
      else if (was->second.presence != Presence::Online)
        what = "is back";
      else
        what = was->second.hello.incarnation == record.hello.incarnation ? "" : "was started again";
      break;
    case Presence::Silent:
      what = "is silent";
      style = Style::Dim;
      break;
    case Presence::Lost:
      what = "is lost";
      style = Style::Warning;
      break;
    case Presence::Expected:
      break;
  }
  Json value{{"event", "node"},
             {"node", node.value},
             {"nodes", set_name(record.nodes)},
             {"what", what.empty() ? "has come" : what}};
  if (what.empty()) return {{"", Style::Plain, value}};
  const std::string waits = what == "has come" ? waiting_text(after) : "";
  return {{fmt::format("{} of {} {}{}", node.value, set_name(record.nodes), what, waits), style,
           value}};
}

std::vector<RunLine> Narrator::of_result(const ResultCame& came) const {
  if (came.fault.empty() && came.result.end == TaskEnd::Finished) return {};
  std::string why = came.fault.empty() ? came.result.message : came.fault;
  if (why.empty())
    why = came.result.end == TaskEnd::Divergent ? "its loss is no finite number"
                                                : "it did not say why";
  Json value{{"event", "result-dropped"},
             {"node", came.node.value},
             {"epoch", came.result.task.epoch + 1},
             {"why", why}};
  return {{fmt::format("{} does not count in epoch {}: {}", came.node.value,
                       came.result.task.epoch + 1, printable(why)),
           Style::Warning, value}};
}

// Those who are told of for the first time.
std::vector<RunLine> Narrator::of_stragglers(const RunState& before, const RunState& after) const {
  std::vector<std::string> names;
  for (const auto& [name, node] : after.nodes)
    if (node.is_late && !before.nodes.at(name).is_late) names.push_back(name.value);
  if (names.empty()) return {};
  const int epoch = before.round.id.epoch + 1;
  const Seconds waited = after.at - before.round.began;
  return {{fmt::format("epoch {} goes on without {}: not done after {}", epoch, listed(names),
                       duration(waited)),
           Style::Warning,
           {{"event", "not-waited-for"},
            {"epoch", epoch},
            {"nodes", names},
            {"waited", waited.value}}}};
}

RunLine Narrator::repeated_line(const RunState& before, const RunEvent& event,
                                const RunState& after) const {
  const bool is_late = std::holds_alternative<TimePassed>(event.what);
  const bool is_broken = after.broken.size() > before.broken.size();
  const bool is_repeated =
      after.activity == Activity::Gathering || after.activity == Activity::Working;
  const std::string set = set_name(before.round.nodes);
  const std::string why = is_late
                              ? "too few were done after " + duration(after.at - before.round.began)
                              : std::string("too few results");
  const bool is_looked = before.round.kind == RoundKind::Look;
  const std::string then = is_broken     ? set + " counts as broken"
                           : is_repeated ? "the round is repeated"
                           : is_looked   ? "the loss while training counts"
                                         : "there is nobody of " + set;
  const char* what = is_broken ? "nodes-broken" : is_repeated ? "round-repeated" : "round-given-up";
  return {why + ": " + then,
          Style::Warning,
          {{"event", what}, {"epoch", before.round.id.epoch + 1}, {"nodes", set}}};
}

std::string Narrator::ending_text(const RunState& state) const {
  const Goal& goal = setup_.problem.goal();
  const State now = state.now();
  const std::string figures =
      fmt::format("loss {} (goal {})", loss_figure(now.loss), loss_figure(goal.loss));
  switch (*state.end) {
    case Ending::Reached:
      return "The goal is reached: " + figures;
    case Ending::DeadlinePassed:
      return "The goal is missed: no further epoch fits before the deadline; " + figures;
    case Ending::NothingToSay:
      return "The goal is missed: the strategy knows no way to go on" +
             (state.plan ? reasons(*state.plan) : "") + "; " + figures;
    case Ending::Diverged:
      return "Training diverged: the losses are no finite numbers any more";
    case Ending::NodesGone: {
      const PlanDecided* plan = state.plan && !state.plan->next ? &*state.plan : nullptr;
      const std::string who = plan && !plan->without.empty()
                                  ? "Without " + missing_names(*plan) + " no node"
                                  : "No node";
      return who + " is left that could go on with it; the run can be resumed";
    }
    case Ending::NodesFail:
      return "No node can do its work; the run can be resumed";
    case Ending::Stopped:
      return "Stopped; the run can be resumed";
  }
  return {};
}

std::vector<RunLine> Narrator::tell(const RunState& before, const RunEvent& event,
                                    const RunState& after) const {
  std::vector<RunLine> lines;
  const auto add = [&](std::vector<RunLine> more) {
    for (RunLine& line : more) lines.push_back(std::move(line));
  };
  if (const auto* came = std::get_if<NodeCame>(&event.what))
    add(of_node(before, came->node, after));
  if (const auto* heard = std::get_if<NodeHeard>(&event.what))
    add(of_node(before, heard->node, after));
  if (const auto* silent = std::get_if<NodeSilent>(&event.what))
    add(of_node(before, silent->node, after));
  if (const auto* gone = std::get_if<NodeGone>(&event.what))
    add(of_node(before, gone->node, after));
  if (std::holds_alternative<TimePassed>(event.what)) {
    for (const auto& [name, node] : after.nodes)
      if (node.presence == Presence::Lost && before.nodes.at(name).presence == Presence::Expected)
        add(of_node(before, name, after));
    add(of_stragglers(before, after));
  }
  if (const auto* result = std::get_if<ResultCame>(&event.what)) add(of_result(*result));
  if (std::holds_alternative<RunResumed>(event.what))
    lines.push_back({fmt::format("resumed after {}",
                                 counted(static_cast<long long>(after.epochs.size()), "epoch")),
                     Style::Accent,
                     {{"event", "resumed"}, {"epochs", after.epochs.size()}}});
  if (const auto* back = std::get_if<WentBack>(&event.what))
    lines.push_back({fmt::format("back to epoch {}: {}", back->epochs, back->why),
                     Style::Warning,
                     {{"event", "went-back"}, {"epochs", back->epochs}, {"why", back->why}}});
  if (after.counts.repeated_rounds > before.counts.repeated_rounds)
    lines.push_back(repeated_line(before, event, after));
  if (has_looked(before, after)) lines.push_back(first_look_line(after));
  for (std::size_t epoch = before.told + 1; epoch <= after.told; ++epoch)
    lines.push_back(epoch_line(after, epoch));
  if (const auto* plan = std::get_if<PlanDecided>(&event.what))
    lines.push_back(of_plan(before, *plan, after));
  if (after.activity == Activity::Waiting && before.activity != Activity::Waiting && !after.end)
    lines.push_back({fmt::format("no node can go on with it; the run ends in {} unless one comes",
                                 duration(setup_.patience.give_up)),
                     Style::Warning,
                     {{"event", "waiting"}, {"seconds", setup_.patience.give_up.value}}});
  return lines;
}

}  // namespace espalier
