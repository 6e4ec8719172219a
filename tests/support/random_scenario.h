// SPDX-License-Identifier: Apache-2.0
// Small random scenarios of every kind, for tests against an oracle.
#pragma once

#include <cstdint>

#include "core/scenario.h"

namespace espalier::support {

enum class RuleKind { Power, Steps, Curve, Mixed };
enum class Switching { OneWay, TwoWay, Either };

struct RandomOptions {
  int max_models = 3;
  int max_node_sets = 3;
  int epochs = 7;  // about how many fit into the deadline
  RuleKind kind = RuleKind::Mixed;
  Switching switching = Switching::Either;
  bool on_grid = false;  // times and losses are multiples of 0.1 and 0.05: additive steps only
  bool noisy = false;    // spread, so that the robust estimate differs from the expected one
};

// The same seed gives the same scenario on every machine.
Scenario random_scenario(std::uint64_t seed, const RandomOptions& options);

}  // namespace espalier::support
