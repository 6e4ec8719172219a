// SPDX-License-Identifier: Apache-2.0
#include "pact_cases.h"

#include "core/plan.h"
#include "instances.h"
#include "splitmix.h"

namespace espalier::bench {
namespace {

constexpr RuleKind kRules[] = {RuleKind::Power, RuleKind::Curve, RuleKind::Mixed, RuleKind::Steps};

InstanceSpec spec_of(int number, SplitMix& random) {
  return {.models = 2 + random.below(2),
          .node_sets = 1 + random.below(3),
          .epochs = 6 + random.below(8),
          .rules = kRules[number % 4],
          .switching = random.below(2) == 0 ? Switching::OneWay : Switching::TwoWay,
          .deadline = random.below(2) == 0 ? DeadlineKind::Loose : DeadlineKind::Binding,
          .noise = random.uniform(0, 0.3),
          .estimator = Estimator::Robust,
          .seed = static_cast<std::uint64_t>(number)};
}

// A few epochs into a run that went a little better or worse than expected.
State some_epochs_later(const Problem& problem, SplitMix& random) {
  State now = problem.start();
  for (int epochs = random.below(4); epochs > 0; --epochs) {
    const PlacementId to{random.below(static_cast<int>(problem.size()))};
    const auto next = advance(problem, Estimator::Expected, now, to);
    if (!next) continue;
    now = *next;
    now.loss.value *= random.uniform(0.97, 1.05);
  }
  return now;
}

}  // namespace

PactCase pact_case(int number) {
  SplitMix random(static_cast<std::uint64_t>(number) * 7919);
  const InstanceSpec spec = spec_of(number, random);
  Scenario scenario = random_scenario(spec);
  // Rounding up costs time: without some to spare few cases would have a path at all.
  scenario.goal.deadline = scenario.goal.deadline * random.uniform(1.1, 1.6);
  PactCase c{.name = name_of(spec), .problem = Problem::estimated(scenario), .now = {}, .grid = {}};
  c.now = some_epochs_later(c.problem, random);
  c.grid.loss_step = Loss{random.uniform(0.02, 0.06)};
  c.grid.time_step = c.problem.goal().deadline * (1 / random.uniform(15, 25));
  return c;
}

}  // namespace espalier::bench
