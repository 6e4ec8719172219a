// SPDX-License-Identifier: Apache-2.0
// What the analysis found, said in one sentence each.
#pragma once

#include <string>

#include "render/plan_report.h"

namespace espalier {

// Why the other strategy lost, or how it did.
std::string why_not(const PlanReport& report, const Alternative& alternative);

// Why a stage is there: what the next-best way would have cost.
std::string why(const PlanReport& report, const StageReason& reason);

}  // namespace espalier
