// SPDX-License-Identifier: Apache-2.0
// Pictures of a plan and of a frontier.
#pragma once

#include <string>

#include "render/plan_report.h"

namespace espalier {

// Loss over time with its jumps, target and deadline; a coloured band per stage; energy per stage
// below. REQUIRES: a plan.
std::string plan_svg(const Planned& planned, const PlanResult& result);

// Stages as boxes, changes as arrows between them. REQUIRES: a plan.
std::string plan_dot(const Planned& planned, const PlanResult& result);

// Least energy over the deadline or the target loss.
std::string frontier_svg(const FrontierReport& report);

// As a quoted string of the DOT language.
std::string dot_quoted(std::string_view text);

}  // namespace espalier
