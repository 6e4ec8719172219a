// SPDX-License-Identifier: Apache-2.0
// A fixed plan as stretches of epochs at one placement each.
#pragma once

#include <vector>

#include "core/plan.h"

namespace espalier {

struct Stretch {
  PlacementId placement{};
  int epochs = 0;
  friend auto operator<=>(const Stretch&, const Stretch&) = default;
};

// Neighbouring stretches differ in their placement; none is empty.
using Course = std::vector<Stretch>;

Course course_of(const Plan& plan);
std::vector<PlacementId> placements_of(const Course& course);
int epochs_of(const Course& course);

// Whether every node set uses one data option only.
bool keeps_to_its_data(const Problem& problem, const Course& course);

// Without empty stretches, and with neighbours of the same placement joined.
Course tidied(const Course& course);

}  // namespace espalier
