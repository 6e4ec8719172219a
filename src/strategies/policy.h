// SPDX-License-Identifier: Apache-2.0
// The closed-loop optimum: the least mean energy for a promised probability, decided epoch by
// epoch.
#pragma once

#include <optional>

#include "core/strategy.h"
#include "policies/policy_table.h"

namespace espalier {

const Strategy& policy_strategy();

// What `planner`, made by this strategy, does; nothing before its first plan, where it follows a
// fixed plan, or if it is another strategy's.
std::optional<PolicyTable> exported_policy(const Planner& planner);

}  // namespace espalier
