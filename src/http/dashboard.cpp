// SPDX-License-Identifier: Apache-2.0
#include "http/dashboard.h"

#include "http/routes.h"
#include "render/run_json.h"

namespace espalier {
namespace {

std::vector<Route> all_routes(const Traffic& traffic, RunWatch& watch, const std::string& version) {
  std::vector<Route> all;
  for (std::vector<Route>& group : std::vector<std::vector<Route>>{
           page_routes(), scenario_routes(), plan_routes(), compare_routes(), run_routes(watch),
           metrics_routes(traffic, watch, version)}) {
    std::move(group.begin(), group.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

Dashboard::Dashboard(RunShelf& shelf, const DashboardOptions& options)
    : watch_(shelf, news_line),
      site_(Gate(options.gate), all_routes(traffic_, watch_, options.version), traffic_),
      server_(site_, options.server) {}

}  // namespace espalier
