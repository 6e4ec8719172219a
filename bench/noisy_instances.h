// SPDX-License-Identifier: Apache-2.0
// Random scenarios where learning is a matter of luck.
#pragma once

#include "instances.h"

namespace espalier::bench {

struct NoisySpec {
  InstanceSpec base{.models = 3, .node_sets = 3, .epochs = 60};
  double run_noise = 0.25;
  double epoch_noise = 0.3;
  double jump_noise = 0.1;
  // Of the deadline that the base instance has: without room nothing can be promised.
  double room = 1.5;
  double probability = 0.9;
  // A second level for one node set, a second data option, with something to be paid once, for
  // another.
  bool has_options = false;
};

Scenario noisy_scenario(const NoisySpec& spec);

// Noise, room, learning kind and switching drawn from the seed.
NoisySpec random_noisy_spec(std::uint64_t seed);

}  // namespace espalier::bench
