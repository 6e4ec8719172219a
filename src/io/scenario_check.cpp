// SPDX-License-Identifier: Apache-2.0
#include "io/scenario_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/settings.h"

namespace espalier {
namespace {

bool has_steps(const LearnSpec& learn) {
  const auto* shape = std::get_if<RuleShape>(&learn.rule);
  const bool expected = shape != nullptr && std::holds_alternative<StepsRule>(*shape);
  return expected || (learn.robust && std::holds_alternative<StepsRule>(*learn.robust));
}

// The path of the first rule on the node set that is given as steps; empty if there is none.
std::string steps_on(const Scenario& scenario, NodeSetId nodes) {
  for (std::size_t i = 0; i < scenario.runs.size(); ++i) {
    const RunSpec& run = scenario.runs[i];
    if (run.nodes == nodes && has_steps(run.learn)) return fmt::format("run[{}].learn", i);
  }
  for (std::size_t i = 0; i < scenario.truth.runs.size(); ++i) {
    const TrueRunSpec& run = scenario.truth.runs[i];
    if (run.nodes == nodes && has_steps(run.learn)) return fmt::format("truth.run[{}].learn", i);
  }
  return {};
}

void check_floors(const Scenario& scenario, PathReport& report) {
  for (std::size_t n = 0; n < scenario.node_sets.size(); ++n) {
    const NodeSetSpec& set = scenario.node_sets[n];
    for (const DataOptionSpec& option : set.data_options) {
      if (option.floor_add == 0) continue;
      const std::string steps = steps_on(scenario, {static_cast<std::int32_t>(n)});
      if (steps.empty()) continue;
      report.error(fmt::format("data.{}.{}.floor_add", set.name, option.name),
                   fmt::format("adds to a floor, but {} is given as steps, which have none", steps),
                   "remove floor_add, or give the rule by rate or curve");
    }
  }
}

bool has_run(const Scenario& scenario, const TrueRunSpec& row) {
  return std::any_of(scenario.runs.begin(), scenario.runs.end(), [&](const RunSpec& run) {
    return run.model == row.model && run.nodes == row.nodes;
  });
}

bool has_switch(const Scenario& scenario, const TrueJumpSpec& row) {
  const auto& models = scenario.model_changes;
  const auto& pairs = scenario.pair_changes;
  return std::any_of(models.begin(), models.end(),
                     [&](const ModelChangeSpec& change) {
                       return change.from == row.from && change.to == row.to;
                     }) ||
         std::any_of(pairs.begin(), pairs.end(), [&](const PairChangeSpec& pair) {
           return pair.from_model == row.from && pair.to_model == row.to;
         });
}

void check_truth(const Scenario& scenario, PathReport& report) {
  const TruthSpec& truth = scenario.truth;
  for (std::size_t i = 0; i < truth.runs.size(); ++i) {
    if (has_run(scenario, truth.runs[i])) continue;
    report.error(fmt::format("truth.run[{}]", i),
                 fmt::format("is about {} on {}, which run does not have",
                             scenario.models[truth.runs[i].model.pos()].name,
                             scenario.node_sets[truth.runs[i].nodes.pos()].name),
                 "add that row to run, or remove this one");
  }
  for (std::size_t i = 0; i < truth.jumps.size(); ++i) {
    if (has_switch(scenario, truth.jumps[i])) continue;
    report.error(fmt::format("truth.models[{}]", i),
                 fmt::format("is about a switch from {} to {}, which change does not have",
                             scenario.models[truth.jumps[i].from.pos()].name,
                             scenario.models[truth.jumps[i].to.pos()].name),
                 "add that row to change.models, or remove this one");
  }
}

}  // namespace

void PathReport::error(const std::string& path, std::string what, std::string hint) {
  report_.error(mark_of(root_, path), path, std::move(what), std::move(hint));
}

void PathReport::warning(const std::string& path, std::string what, std::string hint) {
  report_.warning(mark_of(root_, path), path, std::move(what), std::move(hint));
}

void check_scenario(const Scenario& scenario, const DocumentNode& root, Report& report) {
  PathReport paths(root, report);
  check_floors(scenario, paths);
  const bool has_rules = !paths.has_errors();
  check_truth(scenario, paths);
  const bool has_truth = !paths.has_errors();
  if (has_rules)
    check_monotone(scenario, has_truth ? Rules::OfEverything : Rules::OfEstimates, paths);
  if (!paths.has_errors()) warn_about(scenario, paths);
}

}  // namespace espalier
