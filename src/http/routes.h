// SPDX-License-Identifier: Apache-2.0
// Every group of routes: one file each, and one line here and in dashboard.cpp.
#pragma once

#include <string>
#include <vector>

#include "http/site.h"
#include "http/traffic.h"
#include "watching/run_watch.h"

namespace espalier {

std::vector<Route> page_routes();
std::vector<Route> scenario_routes();
std::vector<Route> plan_routes();
std::vector<Route> compare_routes();
// The watch and the traffic must outlive the routes.
std::vector<Route> run_routes(RunWatch& watch);
std::vector<Route> metrics_routes(const Traffic& traffic, RunWatch& watch, std::string version);

}  // namespace espalier
