// SPDX-License-Identifier: Apache-2.0
// Strategies side by side.
#include "http/routes.h"
#include "http/study_request.h"
#include "http/time_limit.h"
#include "strategies/registry.h"
#include "studies/compare_study.h"
#include "studies/suitability.h"

namespace espalier {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestComparing = 120s;

std::vector<const Strategy*> strategies_of(const StudyRequest& asked, const ComparePoint& point) {
  if (asked.strategies.empty()) return usual_strategies(point);
  std::vector<const Strategy*> all;
  for (const std::string& name : asked.strategies) all.push_back(&strategy_named(name));
  for (const Strategy* strategy : all) refuse_unsuitable(point.input.scenario, strategy->info());
  return all;
}

ComparePoint point_of(const StudyRequest& asked) {
  Input input = input_of(asked);
  Environment environment(input, nullptr);
  return {std::move(input), std::move(environment)};
}

HttpResponse make_comparison(const HttpRequest& request, const PathParts&) {
  const StudyRequest asked =
      parse_study_request(request.body, {"strategies", "runs", "seed", "estimator"});
  const ComparePoint point = point_of(asked);
  const LuckOptions luck{asked.runs, asked.seed};
  CompareWork work{strategies_of(asked, point), planner_options_of(asked),
                   point.environment.simulation(luck)};
  const TimeLimit limit(kLongestComparing);
  auto comparisons = compare_strategies({&point, 1}, work, limit.token());
  auto notes = compare_notes(point.environment, luck, work.strategies);
  if (limit.token().stop_requested()) drop_without_run(comparisons.front(), notes);
  const CompareReport report{simulated_at(point, work, std::move(notes)),
                             std::move(comparisons.front())};
  return json_response(compare_document(report, CompareDetail::Curves));
}

}  // namespace

std::vector<Route> compare_routes() { return {{"POST", "/api/v1/compare", make_comparison}}; }

}  // namespace espalier
