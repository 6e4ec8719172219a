// SPDX-License-Identifier: Apache-2.0
#include "render/json.h"
#include "render/names.h"
#include "render/simulation_report.h"

namespace espalier {
namespace {

Json spread_json(const Spread& spread) {
  return {{"mean", spread.mean}, {"p05", spread.p05}, {"p50", spread.p50}, {"p95", spread.p95}};
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json notes_json(const std::vector<CountedNote>& notes) {
  Json all = Json::array();
  for (const CountedNote& note : notes) all.push_back({{"text", note.text}, {"count", note.count}});
  return all;
}

Json summary_json(const std::string& strategy, const SimulationSummary& summary) {
  const Interval& interval = summary.probability_interval;
  return {{"strategy", strategy},
          {"runs", summary.runs},
          {"reached", summary.reached},
          {"probability", summary.probability},
          {"probability_interval", {interval.low, interval.high}},
          {"energy", spread_json(summary.energy)},
          {"time", spread_json(summary.time)},
          {"loss", spread_json(summary.loss)},
          {"switches", {{"mean", summary.switches_mean}}},
          {"plans", {{"mean", summary.plans_mean}}},
          {"fallbacks", {{"mean", summary.fallbacks_mean}}},
          {"untraced_epochs", {{"mean", summary.unknown_epochs_mean}}},
          {"energy_when_reached", number_or_null(summary.energy_when_reached)},
          {"said", notes_json(summary.notes)}};
}

const char* name_of(RunEnd end) {
  switch (end) {
    case RunEnd::Reached:
      return "reached";
    case RunEnd::DeadlinePassed:
      return "deadline_passed";
    case RunEnd::NothingToSay:
      return "no_plan";
    case RunEnd::EpochLimit:
      return "epoch_limit";
    case RunEnd::Stopped:
      return "stopped";
  }
  return "stopped";
}

Json run_json(const Simulated& simulated, const RunRecord& record, std::size_t number) {
  const State end = record.course.end();
  Json row{{"run", number},
           {"end", name_of(record.end)},
           {"reached", record.reached()},
           {"energy", end.energy.value},
           {"time", end.time.value},
           {"loss", end.loss.value},
           {"epochs", record.course.steps.size()},
           {"switches", record.switches},
           {"plans", record.plans},
           {"fallbacks", record.fallbacks},
           {"untraced_epochs", record.unknown_epochs},
           {"steps", Json::array()}};
  for (std::size_t i = 0; i < record.course.steps.size(); ++i) {
    const State state = record.course.after(i + 1);
    const auto names = names_of(simulated.scenario, simulated.problem.training(state.placement).at);
    row["steps"].push_back({{"epoch", state.epoch},
                            {"model", names.model},
                            {"nodes", names.nodes},
                            {"data", names.data ? Json(*names.data) : Json()},
                            {"level", names.level ? Json(*names.level) : Json()},
                            {"time", state.time.value},
                            {"energy", state.energy.value},
                            {"loss", state.loss.value}});
  }
  return row;
}

Json truth_json(const std::optional<TracedTruth>& traces) {
  if (!traces) return {{"from", "scenario"}};
  return {{"from", "traces"}, {"file", traces->file}, {"seeds", traces->seeds}};
}

Json setting_json(const Simulated& simulated) {
  const Goal& goal = simulated.problem.goal();
  return {{"scenario", simulated.scenario.name},
          {"goal", {{"loss", goal.loss.value}, {"deadline", goal.deadline.value}}},
          {"loop", simulated.options.run.loop == Loop::Closed ? "closed" : "open"},
          {"truth", truth_json(simulated.traces)},
          {"noise", simulated.luck == Luck::Drawn},
          {"seed", simulated.options.seed}};
}

Json planned_json(const Problem& problem, const PlanResult& result) {
  Json row{{"verdict", espalier::name_of(result.verdict)}};
  const auto& plan = result.plan;
  row["energy"] = plan ? Json(plan->end().energy.value) : Json();
  row["time"] = plan ? Json(plan->end().time.value) : Json();
  row["loss"] = plan ? Json(plan->end().loss.value) : Json();
  row["epochs"] = plan ? Json(plan->steps.size()) : Json();
  row["switches"] = plan ? Json(plan->switches(problem)) : Json();
  return row;
}

Json clairvoyant_json(const ClairvoyantSummary& summary) {
  return {{"runs", summary.runs},
          {"reachable", summary.reachable},
          {"proved", summary.proved},
          {"energy", summary.reachable > 0 ? Json(summary.energy) : Json()}};
}

Json curve_json(const PlanResult& result) {
  Json points = Json::array();
  if (!result.plan) return points;
  const State& start = result.plan->start;
  points.push_back({start.time.value, start.loss.value, start.energy.value});
  for (const Step& step : result.plan->steps)
    points.push_back({step.time.value, step.loss.value, step.energy.value});
  return points;
}

void add_curves(Json& data, const Comparison& comparison) {
  for (std::size_t i = 0; i < comparison.rows.size(); ++i)
    data["rows"][i]["planned"]["curve"] = curve_json(comparison.rows[i].planned);
}

void add_comparison(Json& data, const Problem& problem, const Comparison& comparison) {
  data["rows"] = Json::array();
  for (const CompareRow& row : comparison.rows) {
    Json json = summary_json(row.strategy, row.summary);
    json["planned"] = planned_json(problem, row.planned);
    json["excess"] = number_or_null(row.excess);
    data["rows"].push_back(std::move(json));
  }
  data["optimum"] = comparison.clairvoyant ? clairvoyant_json(*comparison.clairvoyant)
                                           : planned_json(problem, comparison.optimum);
}

}  // namespace

std::string simulation_document(const SimulationReport& report) {
  Json data = summary_json(report.strategy, report.summary);
  data.update(setting_json(report.simulated));
  if (!report.detail.empty()) {
    std::size_t number = 0;
    for (const RunRecord& r : report.detail) {
      data["runs_detail"].push_back(run_json(report.simulated, r, number++));
    }
  }
  data["notes"] = report.simulated.notes;
  return ok_document(std::move(data));
}

std::string compare_document(const CompareReport& report, CompareDetail detail) {
  Json data = setting_json(report.simulated);
  add_comparison(data, report.simulated.problem, report.comparison);
  if (detail == CompareDetail::Curves) add_curves(data, report.comparison);
  data["notes"] = report.simulated.notes;
  return ok_document(std::move(data));
}

std::string sweep_document(const SweepReport& report) {
  Json data = setting_json(report.simulated);
  data["sweep"] = report.key;
  data["points"] = Json::array();
  for (std::size_t i = 0; i < report.values.size(); ++i) {
    Json point{{"value", report.values[i]}};
    add_comparison(point, report.simulated.problem, report.comparisons[i]);
    data["points"].push_back(std::move(point));
  }
  data["mean_excess"] = Json::object();
  for (std::size_t s = 0; s < report.comparisons.front().rows.size(); ++s) {
    data["mean_excess"][report.comparisons.front().rows[s].strategy] =
        number_or_null(report.mean_excess(s));
  }
  data["notes"] = report.simulated.notes;
  return ok_document(std::move(data));
}

}  // namespace espalier
