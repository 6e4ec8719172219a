// SPDX-License-Identifier: Apache-2.0
#include "noisy_instances.h"

#include "splitmix.h"

namespace espalier::bench {

Scenario noisy_scenario(const NoisySpec& spec) {
  Scenario scenario = random_scenario(spec.base);
  for (RunSpec& run : scenario.runs) run.learn.noise = {spec.run_noise, spec.epoch_noise};
  for (ModelChangeSpec& change : scenario.model_changes) change.jump.noise = spec.jump_noise;
  scenario.goal.deadline = scenario.goal.deadline * spec.room;
  scenario.goal.probability = spec.probability;
  if (spec.has_options) {
    scenario.node_sets.front().levels = {{"full", 1, 1}, {"eco", 1.5, 0.75}};
    scenario.node_sets.back().data_options = {
        {.name = "all"},
        {.name = "part", .time = 0.6, .energy = 0.6, .rate = 0.7, .once = Joules{0.3}}};
  }
  return scenario;
}

NoisySpec random_noisy_spec(std::uint64_t seed) {
  SplitMix random(seed * 7919 + 13);
  NoisySpec spec;
  spec.base.models = 2 + random.below(2);
  spec.base.node_sets = 2 + random.below(2);
  spec.base.epochs = 20 + random.below(60);
  spec.base.rules = random.below(3) == 0 ? RuleKind::Mixed : RuleKind::Power;
  spec.base.switching = random.below(2) == 0 ? Switching::OneWay : Switching::TwoWay;
  spec.base.seed = seed;
  spec.run_noise = random.below(4) == 0 ? 0 : random.uniform(0.05, 0.4);
  spec.epoch_noise = random.uniform(0.05, 0.6);
  spec.jump_noise = random.below(2) == 0 ? 0 : random.uniform(0.05, 0.3);
  spec.room = random.uniform(1.0, 2.0);
  spec.has_options = random.below(3) == 0;
  return spec;
}

}  // namespace espalier::bench
