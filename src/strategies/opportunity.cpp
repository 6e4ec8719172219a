// SPDX-License-Identifier: Apache-2.0
// A path that reaches the goal lowers the loss by at least what there is to lose. How much more it
// is expected to is limited by where learning ends: no epoch leads below the end of its rule, and
// switches that only ever raise the loss do not either.
#include "strategies/opportunity.h"

#include <algorithm>

#include "core/infinite.h"

namespace espalier {
namespace {

double end_of(const PowerRule& rule) { return rule.floor; }
double end_of(const StepsRule& /*unused*/) { return 0; }
double end_of(const CurveRule& rule) { return rule.points.back(); }

std::vector<Change> changes_of(const Problem& problem) {
  std::vector<Change> changes;
  const auto count = static_cast<std::int32_t>(problem.size());
  for (std::int32_t from = 0; from < count; ++from) {
    for (std::int32_t to = 0; to < count; ++to) {
      if (const auto change = problem.change({from}, {to})) changes.push_back(*change);
    }
  }
  return changes;
}

bool is_certain(const Problem& problem, const std::vector<Change>& changes) {
  const auto is_same = [](const auto& value) { return value.expected == value.robust; };
  return std::ranges::all_of(problem.placements(), is_same, &Training::rule) &&
         std::ranges::all_of(changes, is_same, &Change::jump);
}

// The least loss that any path can be expected to reach from a loss of `from`.
double lowest_end(const Problem& problem, const std::vector<Change>& changes, double from) {
  const auto raises = [&](const Change& change) {
    const Jump& jump = change.jump.expected;
    return jump.add >= 0 && jump.apply(problem.ceiling()) >= problem.ceiling();
  };
  if (!std::ranges::all_of(changes, raises)) return 0;
  double lowest = from;
  for (const Training& t : problem.placements()) {
    if (!t.possible) continue;
    const auto end = [](const auto& shape) { return end_of(shape); };
    lowest = std::min(lowest, std::visit(end, t.rule.expected.shape()));
  }
  return lowest;
}

}  // namespace

double highest_opportunity(const Problem& problem, Estimator estimator, const State& now) {
  const std::vector<Change> changes = changes_of(problem);
  if (estimator == Estimator::Expected || is_certain(problem, changes)) return 1;
  const double to_lose = (now.loss - problem.goal().loss_bound()).value;
  if (to_lose <= 0) return kInfinite;
  return (now.loss.value - lowest_end(problem, changes, now.loss.value)) / to_lose;
}

}  // namespace espalier
