// SPDX-License-Identifier: Apache-2.0
// A small scenario for tests: three models on three node sets.
#pragma once

#include <cstdint>

#include "core/scenario.h"

namespace espalier::support {

// L, M and S, each pruned from the one before; gold, silver and bronze; every model everywhere.
inline Scenario small_factory() {
  const LearnSpec learn{RuleShape{PowerRule{0.1, 0.05, 1}}, {}, {}};
  Scenario scenario;
  scenario.name = "small factory";
  scenario.goal = {Loss{0.3}, Seconds{300}, 0.9};
  scenario.start = {{0}, {0}, Loss{2}};
  scenario.models = {{"L", {}, 0}, {"M", ModelId{0}, 0.5}, {"S", ModelId{1}, 0.75}};
  scenario.node_sets = {{"gold", {}, {}}, {"silver", {}, {}}, {"bronze", {}, {}}};
  for (std::int32_t model = 0; model < 3; ++model) {
    for (std::int32_t nodes = 0; nodes < 3; ++nodes) {
      scenario.runs.push_back(
          {{model}, {nodes}, Seconds{1.0 + nodes}, Joules{9.0 - model - 2 * nodes}, learn});
    }
  }
  scenario.model_changes = {{{0}, {1}, Seconds{1}, Joules{1}, {}},
                            {{1}, {2}, Seconds{1}, Joules{1}, {}}};
  TrainingSpec training;
  training.dataset = "synthetic";
  training.nodes = {{{0}, 45'000, 10}, {{1}, 5'000, 10}, {{2}, 1'500, 10}};
  scenario.training = training;
  return scenario;
}

}  // namespace espalier::support
