// SPDX-License-Identifier: Apache-2.0
// Every fixed plan of at most three stretches: the oracle for `depl`.
#pragma once

#include <optional>

#include "courses/course_trial.h"

namespace espalier::bench {

// The least mean energy over all courses of at most three stretches, the last one as long as it
// takes, such that `share` of the members reach the goal. Branches that already cost more than the
// best course are cut; nothing else is.
std::optional<TrialResult> cheapest_short_course(CourseTrial& trial, double share);

}  // namespace espalier::bench
