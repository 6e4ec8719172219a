// SPDX-License-Identifier: Apache-2.0
// Scenarios to begin with, and what is wrong with one.
#include "http/routes.h"
#include "http/study_request.h"
#include "render/check_report.h"
#include "render/json.h"
#include "render/strategy_list.h"
#include "strategies/registry.h"
#include "studies/examples.h"

namespace espalier {
namespace {

// Some tell what to train and not yet what it costs.
bool can_be_planned(const Example& example) {
  StudyRequest asked;
  asked.scenario = example.text;
  const ScenarioReading reading = read_scenario_of(asked);
  return reading.scenario && !reading.scenario->runs.empty();
}

HttpResponse list_examples(const HttpRequest&, const PathParts&) {
  Json all = Json::array();
  for (const Example& example : all_examples())
    all.push_back({{"name", example.name},
                   {"summary", summary_of(example)},
                   {"can_be_planned", can_be_planned(example)}});
  return json_response(ok_document({{"examples", std::move(all)}}));
}

HttpResponse show_example(const HttpRequest&, const PathParts& parts) {
  for (const Example& example : all_examples()) {
    if (example.name == parts.front())
      return json_response(ok_document({{"name", example.name}, {"text", example.text}}));
  }
  return refusal(404, "there is no example of that name", "GET /api/v1/examples lists them");
}

HttpResponse list_strategies_known(const HttpRequest&, const PathParts&) {
  std::vector<StrategyInfo> infos;
  for (const Strategy* strategy : all_strategies()) infos.push_back(strategy->info());
  return json_response(strategies_document(infos));
}

HttpResponse check_scenario(const HttpRequest& request, const PathParts&) {
  const StudyRequest asked = parse_study_request(request.body, {});
  ScenarioReading reading = read_scenario_of(asked);
  CheckReport report;
  report.files.push_back({asked.file, std::move(reading.scenario), std::move(reading.diagnostics)});
  return json_response(check_document(report));
}

}  // namespace

std::vector<Route> scenario_routes() {
  return {{"GET", "/api/v1/examples", list_examples},
          {"GET", "/api/v1/examples/{name}", show_example},
          {"GET", "/api/v1/strategies", list_strategies_known},
          {"POST", "/api/v1/check", check_scenario}};
}

}  // namespace espalier
