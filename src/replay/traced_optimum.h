// SPDX-License-Identifier: Apache-2.0
// The least that somebody spends who knows the traces, and so what every course would lead to.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>

#include "core/plan.h"
#include "replay/traced_world.h"

namespace espalier {

// Which courses count, and what they are to spend little of.
struct CourseWish {
  enum class Least { Energy, Time };
  Least least = Least::Energy;
  // Changes of model or node set; leaving a start that cannot train is none. Absent: any number.
  std::optional<int> most_switches{};
};

// `problem` is TracedWorld::within(…). Optimal, or Infeasible: all courses are tried that may be
// worth it. Limit if it was stopped, or if there are levels to choose from, which it cannot.
PlanResult traced_optimum(const TracedWorld& world, const Problem& problem, std::size_t run,
                          std::stop_token stop = {}, const CourseWish& wish = {});

}  // namespace espalier
