// SPDX-License-Identifier: Apache-2.0
#include "outlook/questions.h"

#include <deque>
#include <map>
#include <utility>

namespace espalier {
namespace {

PlacementId placement(std::size_t index) { return {static_cast<std::int32_t>(index)}; }

bool stands_for_itself(const Representatives& first, std::size_t index) {
  return first[index] == placement(index);
}

}  // namespace

Representatives representatives(const Problem& problem) {
  std::map<std::pair<ModelId, NodeSetId>, PlacementId> first;
  Representatives all;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const Placement& at = problem.training(placement(i)).at;
    all.push_back(first.try_emplace({at.model, at.nodes}, placement(i)).first->second);
  }
  return all;
}

std::vector<std::optional<Itinerary>> ways_to(const Problem& problem, PlacementId from,
                                              int passing) {
  const Representatives first = representatives(problem);
  std::vector<std::optional<Itinerary>> ways(problem.size());
  const PlacementId start = first[from.pos()];
  ways[start.pos()] = Itinerary{{start, 0}};
  std::deque<PlacementId> next{start};
  while (!next.empty()) {
    const PlacementId here = next.front();
    next.pop_front();
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (ways[i] || !stands_for_itself(first, i)) continue;
      if (!problem.training(placement(i)).possible) continue;
      if (!problem.change(here, placement(i))) continue;
      Itinerary way = *ways[here.pos()];
      // Nothing is passed through where the run is already.
      way.back().epochs = here == start ? 0 : passing;
      way.push_back({placement(i), 0});
      ways[i] = std::move(way);
      next.push_back(placement(i));
    }
  }
  return ways;
}

std::vector<ModelStep> next_steps(const Problem& problem, PlacementId from) {
  const Representatives first = representatives(problem);
  const PlacementId here = first[from.pos()];
  const ModelId model = problem.training(here).at.model;
  std::vector<ModelStep> steps;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PlacementId there = placement(i);
    const ModelId to = problem.training(there).at.model;
    if (to == model || !stands_for_itself(first, i)) continue;
    if (problem.training(there).possible && problem.change(here, there))
      steps.push_back({model, to, here, there});
  }
  return steps;
}

std::vector<ModelStep> model_steps(const Problem& problem,
                                   const std::vector<std::optional<Itinerary>>& ways) {
  std::map<std::pair<ModelId, ModelId>, ModelStep> nearest;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    for (std::size_t j = 0; ways[i] && j < ways.size(); ++j) {
      if (!ways[j] || !problem.change(placement(i), placement(j))) continue;
      const ModelId from = problem.training(placement(i)).at.model;
      const ModelId to = problem.training(placement(j)).at.model;
      if (from == to) continue;
      const ModelStep step{from, to, placement(i), placement(j)};
      const auto [known, is_new] = nearest.try_emplace({from, to}, step);
      if (!is_new && ways[i]->size() < ways[known->second.at.pos()]->size()) known->second = step;
    }
  }
  std::vector<ModelStep> steps;
  for (const auto& [models, step] : nearest) steps.push_back(step);
  return steps;
}

}  // namespace espalier
