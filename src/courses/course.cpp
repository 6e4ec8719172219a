// SPDX-License-Identifier: Apache-2.0
#include "courses/course.h"

#include <optional>

namespace espalier {

Course course_of(const Plan& plan) {
  Course course;
  for (const Stage& stage : plan.stages()) course.push_back({stage.placement, stage.epochs});
  return course;
}

std::vector<PlacementId> placements_of(const Course& course) {
  std::vector<PlacementId> placements;
  for (const Stretch& stretch : course)
    placements.insert(placements.end(), static_cast<std::size_t>(stretch.epochs),
                      stretch.placement);
  return placements;
}

int epochs_of(const Course& course) {
  int epochs = 0;
  for (const Stretch& stretch : course) epochs += stretch.epochs;
  return epochs;
}

bool keeps_to_its_data(const Problem& problem, const Course& course) {
  std::vector<std::optional<DataOptionId>> used(problem.node_set_count());
  for (const Stretch& stretch : course) {
    const Placement& at = problem.training(stretch.placement).at;
    auto& data = used[at.nodes.pos()];
    if (data && *data != at.data) return false;
    data = at.data;
  }
  return true;
}

Course tidied(const Course& course) {
  Course tidy;
  for (const Stretch& stretch : course) {
    if (stretch.epochs <= 0) continue;
    if (!tidy.empty() && tidy.back().placement == stretch.placement) {
      tidy.back().epochs += stretch.epochs;
    } else {
      tidy.push_back(stretch);
    }
  }
  return tidy;
}

}  // namespace espalier
