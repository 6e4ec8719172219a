// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/believed_scenario.h"

#include <algorithm>
#include <optional>

namespace espalier {
namespace {

JumpSpec jump_of(const Change& change) {
  return {change.jump.expected, change.jump_noise, change.jump.robust};
}

std::optional<PlacementId> placement_at(const Problem& problem, ModelId model, NodeSetId nodes) {
  const auto& all = problem.placements();
  const auto found = std::ranges::find_if(all, [&](const Training& training) {
    return training.at.model == model && training.at.nodes == nodes;
  });
  if (found == all.end()) return std::nullopt;
  return PlacementId{static_cast<std::int32_t>(found - all.begin())};
}

void believe_runs(Scenario& scenario, const Problem& problem) {
  for (RunSpec& run : scenario.runs) {
    const auto at = placement_at(problem, run.model, run.nodes);
    if (!at) continue;
    const Training& training = problem.training(*at);
    run.learn = {training.rule.expected.shape(), training.noise, training.rule.robust.shape()};
  }
}

void believe_model_changes(Scenario& scenario, const Problem& problem) {
  for (ModelChangeSpec& row : scenario.model_changes) {
    if (const auto& change = problem.model_change(row.from, row.to)) row.jump = jump_of(*change);
  }
}

void believe_pair(const Problem& problem, PairChangeSpec& row) {
  const auto from = placement_at(problem, row.from_model, row.from_nodes);
  const auto to = placement_at(problem, row.to_model, row.to_nodes);
  if (!from || !to || row.from_model == row.to_model) return;
  if (const auto change = problem.change(*from, *to)) row.jump = jump_of(*change);
}

// Of who trains now is known better to whom it hands over.
void add_pairs_from_here(Scenario& scenario, const Problem& problem) {
  const PlacementId here = problem.start().placement;
  const Placement& from = problem.training(here).at;
  auto& rows = scenario.pair_changes;
  for (const RunSpec& run : scenario.runs) {
    const auto to = placement_at(problem, run.model, run.nodes);
    if (!to || run.model == from.model) continue;
    const auto change = problem.change(here, *to);
    const bool is_there = std::ranges::any_of(rows, [&](const PairChangeSpec& row) {
      return row.from_model == from.model && row.from_nodes == from.nodes &&
             row.to_model == run.model && row.to_nodes == run.nodes;
    });
    if (!change || is_there) continue;
    rows.push_back({from.model, from.nodes, run.model, run.nodes, change->time, change->energy,
                    jump_of(*change)});
  }
}

}  // namespace

Scenario believed_scenario(Scenario scenario, const Problem& problem) {
  believe_runs(scenario, problem);
  believe_model_changes(scenario, problem);
  for (PairChangeSpec& row : scenario.pair_changes) believe_pair(problem, row);
  add_pairs_from_here(scenario, problem);
  return scenario;
}

}  // namespace espalier
