// SPDX-License-Identifier: Apache-2.0
#include "strategies/registry.h"

#include "core/error.h"
#include "core/near_miss.h"
#include "strategies/brute_force.h"
#include "strategies/depl.h"
#include "strategies/exact.h"
#include "strategies/expectation.h"
#include "strategies/expectation_margin.h"
#include "strategies/no_switch.h"
#include "strategies/one_switch.h"
#include "strategies/pact.h"
#include "strategies/policy.h"
#include "strategies/static_learn.h"

namespace espalier {

std::span<const Strategy* const> all_strategies() {
  static const Strategy* const strategies[] = {
      &exact_strategy(),
      &pact_strategy(),
      &one_switch_strategy(),
      &static_learn_strategy(),
      &no_switch_strategy(),
      &expectation_strategy(),
      &expectation_margin_strategy(),
      &depl_strategy(),
      &policy_strategy(),
      &brute_force_strategy(),
  };
  return strategies;
}

const Strategy& strategy_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Strategy* strategy : all_strategies()) {
    if (strategy->info().name == name) return *strategy;
    names.push_back(strategy->info().name);
  }
  throw Error(ErrorCode::BadInput,
              "unknown strategy '" + std::string(name) + "'" + did_you_mean(name, names),
              "--strategy help describes each");
}

}  // namespace espalier
