// SPDX-License-Identifier: Apache-2.0
// The workloads of the benchmarks: random scenarios from a seed, and the smart factory.
#pragma once

#include <cstdint>
#include <string>

#include "core/problem.h"
#include "core/scenario.h"

namespace espalier::bench {

enum class RuleKind { Power, Curve, Mixed, Steps };
enum class Switching { OneWay, TwoWay };
// Binding: between the least time and the time of the least-energy plan. Loose: beyond both.
enum class DeadlineKind { Binding, Loose };

struct InstanceSpec {
  int models = 3;
  int node_sets = 3;
  // Rates are scaled so that plans take about half to all of these epochs.
  int epochs = 200;
  RuleKind rules = RuleKind::Power;
  Switching switching = Switching::TwoWay;
  DeadlineKind deadline = DeadlineKind::Binding;
  // Spread of the decreases, on average, and of the jumps; 0: both estimates coincide.
  double noise = 0;
  // The estimate the deadline is made for.
  Estimator estimator = Estimator::Expected;
  std::uint64_t seed = 1;
};

// Bigger models learn more per epoch and cost more; node sets differ in speed, energy and data.
Scenario random_scenario(const InstanceSpec& spec);

// "3x3, 200 epochs, power, seed 1".
std::string name_of(const InstanceSpec& spec);

// The scenario of the specification (and of the paper), for another goal.
Scenario smart_factory(Loss goal, Seconds deadline);

}  // namespace espalier::bench
