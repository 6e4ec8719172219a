// SPDX-License-Identifier: Apache-2.0
// The fixed plans next to a fixed plan.
#pragma once

#include <span>
#include <vector>

#include "courses/course.h"

namespace espalier {

// Switches earlier or later. The last stretch is not changed: whoever tries a course lets it go on
// for as long as it takes.
std::vector<Course> shifted_switches(const Course& course);

// A stretch dropped, exchanged with the next, moved to another placement, or put in; of
// `placements` only.
std::vector<Course> other_stretches(const Course& course, std::span<const PlacementId> placements);

// A node set learns from other data throughout.
std::vector<Course> other_data(const Problem& problem, const Course& course);

}  // namespace espalier
