// SPDX-License-Identifier: Apache-2.0
#include "render/json.h"
#include "render/names.h"
#include "render/plan_report.h"
#include "render/sentences.h"

namespace espalier {
namespace {

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

template <class Unit>
Json or_null(const std::optional<Quantity<Unit>>& value) {
  return value ? Json(value->value) : Json();
}

Json place_json(const Planned& planned, PlacementId placement) {
  const auto names = names_of(planned.scenario, planned.problem.training(placement).at);
  return {{"model", names.model},
          {"nodes", names.nodes},
          {"data", or_null(names.data)},
          {"level", or_null(names.level)}};
}

Json stages_json(const Planned& planned, const Plan& plan) {
  Json all = Json::array();
  for (const Stage& stage : plan.stages()) {
    Json row = place_json(planned, stage.placement);
    row.update({{"epochs", stage.epochs},
                {"time", stage.time.value},
                {"energy", stage.energy.value},
                {"loss", stage.loss.value}});
    all.push_back(std::move(row));
  }
  return all;
}

Json steps_json(const Planned& planned, const Plan& plan) {
  Json all = Json::array();
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const State state = plan.after(i + 1);
    Json row{{"epoch", state.epoch}};
    row.update(place_json(planned, state.placement));
    row.update(
        {{"time", state.time.value}, {"energy", state.energy.value}, {"loss", state.loss.value}});
    all.push_back(std::move(row));
  }
  return all;
}

// Where a plan ends; all null without one.
Json ending_json(const Planned& planned, const std::optional<Plan>& plan) {
  if (!plan) {
    return {{"energy", nullptr},
            {"time", nullptr},
            {"loss", nullptr},
            {"epochs", nullptr},
            {"switches", nullptr}};
  }
  const State end = plan->end();
  return {{"energy", end.energy.value},
          {"time", end.time.value},
          {"loss", end.loss.value},
          {"epochs", plan->steps.size()},
          {"switches", plan->switches(planned.problem)}};
}

Json chance_json(const std::optional<Chance>& chance) {
  if (!chance)
    return {{"probability", nullptr}, {"probability_interval", nullptr}, {"mean_energy", nullptr}};
  return {{"probability", chance->probability},
          {"probability_interval", {chance->interval.low, chance->interval.high}},
          {"mean_energy", chance->mean_energy.value}};
}

Json alternative_json(const PlanReport& report, const Alternative& alternative) {
  const Planned& planned = report.planned;
  Json row{{"strategy", alternative.strategy},
           {"estimator", name_of(alternative.result.estimator)},
           {"verdict", name_of(alternative.result.verdict)}};
  row.update(ending_json(planned, alternative.result.plan));
  row.update(chance_json(alternative.result.chance));
  row.update({{"reason", why_not(report, alternative)}, {"notes", alternative.result.notes}});
  return row;
}

Json reason_json(const PlanReport& report, const StageReason& reason) {
  const Planned& planned = report.planned;
  Json row{{"first_epoch", reason.first_epoch}};
  row.update(place_json(planned, reason.stage.placement));
  Json instead;
  if (reason.instead) {
    instead = place_json(planned, reason.instead->placement);
    instead["energy"] = reason.instead->energy.value;
  }
  row.update({{"instead", instead},
              {"never_energy", or_null(reason.never)},
              {"sentence", why(report, reason)}});
  return row;
}

Json nearest_json(const PlanReport& report) {
  if (report.result.verdict != Verdict::Infeasible) return nullptr;
  return {{"loss", or_null(report.nearest.loss)},
          {"deadline", or_null(report.nearest.deadline)},
          {"probability", or_null(report.nearest.probability)}};
}

Json heading_json(const Planned& planned, Estimator estimator) {
  const Goal& goal = planned.problem.goal();
  return {{"scenario", planned.scenario.name},
          {"strategy", planned.strategy.name},
          {"estimator", name_of(estimator)},
          {"goal",
           {{"loss", goal.loss.value},
            {"deadline", goal.deadline.value},
            {"probability", goal.probability}}}};
}

}  // namespace

std::string plan_document(const PlanReport& report) {
  const PlanResult& result = report.result;
  const bool bounded = result.verdict != Verdict::Infeasible;
  Json data = heading_json(report.planned, result.estimator);
  data["verdict"] = name_of(result.verdict);
  data.update(ending_json(report.planned, result.plan));
  data.update(chance_json(result.chance));
  data["lower_bound"] = bounded ? Json(result.lower_bound.value) : Json();
  data["gap"] = bounded && result.plan ? Json(result.gap()) : Json();
  data["stages"] = result.plan ? stages_json(report.planned, *result.plan) : Json::array();
  data["steps"] = result.plan ? steps_json(report.planned, *result.plan) : Json::array();
  data["alternatives"] = Json::array();
  for (const Alternative& a : report.alternatives) {
    data["alternatives"].push_back(alternative_json(report, a));
  }
  data["nearest"] = nearest_json(report);
  if (!report.reasons.empty()) {
    for (const StageReason& r : report.reasons) data["reasons"].push_back(reason_json(report, r));
  }
  data["notes"] = report.notes;
  data["stats"] = {{"labels", result.stats.labels},
                   {"seconds", report.seconds},
                   {"peak_bytes", result.stats.bytes}};
  return ok_document(std::move(data));
}

std::string frontier_document(const FrontierReport& report) {
  Json data = heading_json(report.planned, report.estimator);
  data["axis"] = report.frontier.axis == FrontierAxis::Deadline ? "deadline" : "loss";
  data["complete"] = report.frontier.complete;
  data["points"] = Json::array();
  for (const FrontierPoint& point : report.frontier.points) {
    Json row{{"bound", point.bound}};
    row.update(ending_json(report.planned, point.plan));
    row.update({{"gap", point.gap}, {"stages", stages_json(report.planned, point.plan)}});
    data["points"].push_back(std::move(row));
  }
  data["notes"] = report.notes;
  data["stats"] = {{"seconds", report.seconds}};
  return ok_document(std::move(data));
}

}  // namespace espalier
