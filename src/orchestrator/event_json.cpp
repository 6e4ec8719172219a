// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/event_json.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/provenance.h"
#include "io/strict_json.h"

namespace espalier {
namespace {

using nlohmann::json;

constexpr int kMostDepth = 12;
constexpr std::array<std::string_view, std::variant_size_v<RunHappening>> kKinds{
    "run-began",   "run-resumed",  "node-came",   "node-silent",    "node-heard",
    "node-gone",   "network-made", "result-came", "round-combined", "plan-decided",
    "time-passed", "stop-asked",   "went-back",   "results-dropped"};

// JSON has no infinity and no NaN.
json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  const auto text = value.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  if (text == "inf") return infinite;
  if (text == "-inf") return -infinite;
  throw Error(ErrorCode::BadInput, "'" + text + "' is no number");
}

json to_json(const ObjectRef& object) { return {{"sha256", object.sha256}, {"size", object.size}}; }

ObjectRef object_from(const json& value) {
  return {value.at("sha256").get<std::string>(), value.at("size").get<std::uint64_t>()};
}

json to_json(const TaskId& id) { return {id.run, id.epoch, id.round, id.attempt}; }

TaskId task_id_from(const json& value) {
  return {value.at(0).get<std::string>(), value.at(1).get<int>(), value.at(2).get<int>(),
          value.at(3).get<int>()};
}

json to_json(const Hello& hello) {
  return {{"nodes", hello.nodes},     {"samples", hello.samples},
          {"classes", hello.classes}, {"channels", hello.channels},
          {"height", hello.height},   {"width", hello.width},
          {"program", hello.program}, {"incarnation", hello.incarnation}};
}

Hello hello_from(const json& value) {
  Hello hello;
  hello.nodes = value.at("nodes").get<std::string>();
  hello.samples = value.at("samples").get<std::int64_t>();
  hello.classes = value.at("classes").get<int>();
  hello.channels = value.at("channels").get<int>();
  hello.height = value.at("height").get<int>();
  hello.width = value.at("width").get<int>();
  hello.program = value.at("program").get<std::string>();
  hello.incarnation = value.at("incarnation").get<std::string>();
  return hello;
}

json to_json(const TaskResult& result) {
  json value{{"task", to_json(result.task)},
             {"end", static_cast<int>(result.end)},
             {"message", result.message},
             {"loss", number(result.loss.value)},
             {"samples", result.samples},
             {"time", number(result.time.value)},
             {"energy", number(result.energy.energy.value)},
             {"provenance", static_cast<int>(result.energy.provenance)},
             {"source", result.energy.source}};
  if (result.update) value["update"] = to_json(*result.update);
  return value;
}

template <class Enum>
Enum enum_from(const json& value, int count) {
  const int number = value.get<int>();
  if (number < 0 || number >= count) throw Error(ErrorCode::BadInput, "an unknown kind");
  return static_cast<Enum>(number);
}

EnergyReading energy_from(const json& value) {
  return {{number_of(value.at("energy"))},
          enum_from<Provenance>(value.at("provenance"), 3),
          value.at("source").get<std::string>()};
}

TaskResult result_from(const json& value) {
  TaskResult result;
  result.task = task_id_from(value.at("task"));
  result.end = enum_from<TaskEnd>(value.at("end"), 4);
  result.message = value.at("message").get<std::string>();
  result.loss = {number_of(value.at("loss"))};
  result.samples = value.at("samples").get<std::int64_t>();
  result.time = {number_of(value.at("time"))};
  result.energy = energy_from(value);
  if (value.contains("update")) result.update = object_from(value.at("update"));
  return result;
}

json to_json(const Step& step) {
  return {{"placement", step.placement.index},
          {"loss", number(step.loss.value)},
          {"time", number(step.time.value)},
          {"energy", number(step.energy.value)},
          {"paid", step.paid}};
}

Step step_from(const json& value) {
  return {{value.at("placement").get<std::int32_t>()},
          {number_of(value.at("loss"))},
          {number_of(value.at("time"))},
          {number_of(value.at("energy"))},
          value.at("paid").get<std::uint64_t>()};
}

json to_json(const PlannedStage& stage) {
  return {stage.placement.index, stage.epochs, number(stage.loss.value), number(stage.time.value),
          number(stage.energy.value)};
}

PlannedStage stage_from(const json& value) {
  return {{value.at(0).get<std::int32_t>()},
          value.at(1).get<int>(),
          {number_of(value.at(2))},
          {number_of(value.at(3))},
          {number_of(value.at(4))}};
}

json to_json(const Chance& chance) {
  return {{"probability", chance.probability},
          {"low", chance.interval.low},
          {"high", chance.interval.high},
          {"runs", chance.runs},
          {"mean_energy", number(chance.mean_energy.value)}};
}

Chance chance_from(const json& value) {
  return {value.at("probability").get<double>(),
          {value.at("low").get<double>(), value.at("high").get<double>()},
          value.at("runs").get<std::size_t>(),
          {number_of(value.at("mean_energy"))}};
}

json to_json(const PlanDecided& plan) {
  json value{{"verdict", static_cast<int>(plan.verdict)},
             {"estimator", static_cast<int>(plan.estimator)},
             {"stages", json::array()},
             {"energy_source", text_of(planned_source())},
             {"notes", plan.notes},
             {"without", json::array()}};
  for (const PlannedStage& stage : plan.stages) value["stages"].push_back(to_json(stage));
  for (const NodeSetId nodes : plan.without) value["without"].push_back(nodes.index);
  if (plan.next) value["next"] = to_json(*plan.next);
  if (plan.chance) value["chance"] = to_json(*plan.chance);
  if (plan.spent)
    value["spent"] = {number(plan.spent->time.value), number(plan.spent->energy.value)};
  return value;
}

PlanDecided plan_from(const json& value) {
  PlanDecided plan;
  plan.verdict = enum_from<Verdict>(value.at("verdict"), 4);
  plan.estimator = enum_from<Estimator>(value.at("estimator"), 2);
  for (const json& stage : value.at("stages")) plan.stages.push_back(stage_from(stage));
  plan.notes = value.at("notes").get<std::vector<std::string>>();
  for (const json& nodes : value.at("without")) plan.without.push_back({nodes.get<std::int32_t>()});
  if (value.contains("next")) plan.next = step_from(value.at("next"));
  if (value.contains("chance")) plan.chance = chance_from(value.at("chance"));
  if (value.contains("spent"))
    plan.spent = {{number_of(value.at("spent").at(0))}, {number_of(value.at("spent").at(1))}};
  return plan;
}

// --- one for each kind of event

void describe(json& value, const RunBegan& began) {
  if (began.agreed) value["plan"] = to_json(*began.agreed);
}
void describe(json&, const RunResumed&) {}
void describe(json&, const TimePassed&) {}
void describe(json& value, const NodeCame& came) {
  value["node"] = came.node.value;
  value["set"] = came.nodes.index;
  value["hello"] = to_json(came.hello);
}
void describe(json& value, const NodeSilent& what) { value["node"] = what.node.value; }
void describe(json& value, const NodeHeard& what) { value["node"] = what.node.value; }
void describe(json& value, const NodeGone& what) { value["node"] = what.node.value; }
void describe(json& value, const NetworkMade& made) { value["network"] = to_json(made.network); }
void describe(json& value, const RoundCombined& made) { value["network"] = to_json(made.network); }
void describe(json& value, const PlanDecided& plan) { value["plan"] = to_json(plan); }
void describe(json& value, const StopAsked& asked) { value["why"] = asked.why; }
void describe(json& value, const WentBack& back) {
  value["epochs"] = back.epochs;
  value["why"] = back.why;
}
void describe(json& value, const ResultsDropped& dropped) {
  value["duplicate"] = dropped.duplicate;
  value["late"] = dropped.late;
  value["unselected"] = dropped.unselected;
  if (dropped.paid.empty()) return;
  value["energy"] = number(dropped.energy.energy.value);
  value["provenance"] = static_cast<int>(dropped.energy.provenance);
  value["source"] = dropped.energy.source;
  for (const WorkDone& work : dropped.paid)
    value["paid"].push_back({to_json(work.task), work.node.value});
}
void describe(json& value, const ResultCame& came) {
  value["node"] = came.node.value;
  value["result"] = to_json(came.result);
  value["fault"] = came.fault;
}

NodeName node_from(const json& value) { return {value.at("node").get<std::string>()}; }

ResultsDropped dropped_from(const json& value) {
  ResultsDropped dropped{value.at("duplicate").get<int>(), value.at("late").get<int>(),
                         value.at("unselected").get<int>()};
  if (!value.contains("paid")) return dropped;
  dropped.energy = energy_from(value);
  for (const json& work : value.at("paid"))
    dropped.paid.push_back({task_id_from(work.at(0)), {work.at(1).get<std::string>()}});
  return dropped;
}

RunHappening happening_from(std::size_t kind, const json& value) {
  switch (kind) {
    case 0:
      return value.contains("plan") ? RunBegan{plan_from(value.at("plan"))} : RunBegan{};
    case 1:
      return RunResumed{};
    case 2:
      return NodeCame{
          node_from(value), {value.at("set").get<std::int32_t>()}, hello_from(value.at("hello"))};
    case 3:
      return NodeSilent{node_from(value)};
    case 4:
      return NodeHeard{node_from(value)};
    case 5:
      return NodeGone{node_from(value)};
    case 6:
      return NetworkMade{object_from(value.at("network"))};
    case 7:
      return ResultCame{node_from(value), result_from(value.at("result")),
                        value.at("fault").get<std::string>()};
    case 8:
      return RoundCombined{object_from(value.at("network"))};
    case 9:
      return plan_from(value.at("plan"));
    case 10:
      return TimePassed{};
    case 11:
      return StopAsked{value.at("why").get<std::string>()};
    case 12:
      return WentBack{value.at("epochs").get<int>(), value.at("why").get<std::string>()};
    default:
      return dropped_from(value);
  }
}

}  // namespace

std::string_view kind_of(const RunHappening& what) { return kKinds[what.index()]; }

std::string event_text(const RunEvent& event) {
  json value{{"at", number(event.at.value)}, {"event", kind_of(event.what)}};
  std::visit([&](const auto& what) { describe(value, what); }, event.what);
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

RunEvent parse_event(std::string_view text, const std::string& source) {
  try {
    const json value = parse_strict_json(text, source, kMostDepth);
    const auto kind = value.at("event").get<std::string>();
    const auto found = std::ranges::find(kKinds, kind);
    if (found == kKinds.end()) throw Error(ErrorCode::BadInput, "an unknown event");
    return {{number_of(value.at("at"))},
            happening_from(static_cast<std::size_t>(found - kKinds.begin()), value)};
  } catch (const std::exception& fault) {
    throw Error(ErrorCode::BadInput, source + ": no event of a run: " + fault.what());
  }
}

}  // namespace espalier
