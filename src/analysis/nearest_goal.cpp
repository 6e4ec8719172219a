// SPDX-License-Identifier: Apache-2.0
#include "analysis/nearest_goal.h"

#include <cmath>

#include "search/cost_front.h"
#include "search/least_loss.h"
#include "search/search_graph.h"

namespace espalier {
namespace {

constexpr std::int64_t kMaxLabels = 5'000'000;

}  // namespace

Nearest nearest_goal(const Problem& problem, Estimator estimator, const State& now,
                     std::stop_token stop) {
  const SearchGraph graph(problem, estimator, PlanShape::any());
  Nearest nearest;
  const auto least = least_loss(graph, now, kMaxLabels, stop);
  if (least && !least->path.empty()) nearest.loss = Loss{least->loss};
  CostFront time(graph, 0, 1);
  const double rest = time.extend_to(now, stop, kMaxLabels);
  if (std::isfinite(rest) && !time.cheapest_path(now).empty())
    nearest.deadline = now.time + Seconds{rest};
  return nearest;
}

}  // namespace espalier
