// SPDX-License-Identifier: Apache-2.0
// A scenario planned: the plan, the trade-off around it, and the states it was chosen from.
#include "http/routes.h"
#include "http/study_request.h"
#include "http/time_limit.h"
#include "render/graph_drawing.h"
#include "strategies/registry.h"
#include "studies/plan_study.h"
#include "studies/suitability.h"

namespace espalier {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestPlanning = 30s;

HttpResponse make_plan(const HttpRequest& request, const PathParts&) {
  const StudyRequest asked = parse_study_request(
      request.body, {"strategy", "estimator", "explain", "alternatives", "loss_step", "time_step"});
  const Strategy& strategy = strategy_named(asked.strategy);
  const Input input = input_of(asked);
  refuse_unsuitable(input.scenario, strategy.info());
  const PlanStudy study{
      input, strategy, planner_options_of(asked), {asked.explain, asked.alternatives}};
  const TimeLimit limit(kLongestPlanning);
  const auto planner = strategy.planner(input.estimated, study.planning);
  return json_response(plan_document(study_plan(study, *planner, limit.token())));
}

HttpResponse make_frontier(const HttpRequest& request, const PathParts&) {
  const StudyRequest asked = parse_study_request(request.body, {"axis", "estimator"});
  const FrontierAxis axis = parse_axis(asked.axis);
  const Input input = input_of(asked);
  const Strategy& exact = strategy_named("exact");
  refuse_unsuitable(input.scenario, exact.info());
  const PlanStudy study{input, exact, planner_options_of(asked)};
  const TimeLimit limit(kLongestPlanning);
  return json_response(frontier_document(study_frontier(study, axis, limit.token())));
}

HttpResponse make_graph(const HttpRequest& request, const PathParts&) {
  const StudyRequest asked =
      parse_study_request(request.body, {"estimator", "loss_step", "time_step"});
  const Input input = input_of(asked);
  const Strategy& exact = strategy_named("exact");
  refuse_unsuitable(input.scenario, exact.info());
  const PlanStudy study{input, exact, planner_options_of(asked), {.alternatives = false}};
  const StateGraphOptions rounding{Loss{asked.loss_step}, Seconds{asked.time_step}};
  const TimeLimit limit(kLongestPlanning);
  const auto planner = exact.planner(input.estimated, study.planning);
  const PlanResult result = planner->plan(input.estimated.start(), limit.token());
  const Plan* plan = result.plan ? &*result.plan : nullptr;
  const auto graph = explore_if_small(input.estimated, result.estimator, plan, rounding);
  return json_response(graph_document(study.planned(), graph));
}

}  // namespace

std::vector<Route> plan_routes() {
  return {{"POST", "/api/v1/plan", make_plan},
          {"POST", "/api/v1/frontier", make_frontier},
          {"POST", "/api/v1/graph", make_graph}};
}

}  // namespace espalier
