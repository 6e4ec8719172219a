// SPDX-License-Identifier: Apache-2.0
#include "evidence/regime.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/infinite.h"
#include "evidence/arena.h"
#include "replay/traced_optimum.h"

namespace espalier {
namespace {

// Nothing if some seed cannot reach the goal at all.
std::optional<Seconds> binding_deadline(const Arena& arena) {
  double quickest = 0;
  double cheapest = kInfinite;
  for (std::size_t run = 0; run < arena.seed_count(); ++run) {
    const auto quick =
        traced_optimum(arena.world(), arena.problem(), run, {}, {.least = CourseWish::Least::Time});
    const auto cheap = traced_optimum(arena.world(), arena.problem(), run);
    if (!quick.plan || !cheap.plan) return std::nullopt;
    quickest = std::max(quickest, quick.plan->end().time.value);
    cheapest = std::min(cheapest, cheap.plan->end().time.value);
  }
  const double between = cheapest > quickest ? (quickest + cheapest) / 2 : 1.05 * quickest;
  // To half a unit of time, but never before the quickest.
  const double rounded = std::round(2 * between) / 2;
  return Seconds{rounded >= quickest ? rounded : rounded + 0.5};
}

}  // namespace

std::vector<Regime> regimes_of(const Scenario& scenario, const std::vector<TraceRow>& rows,
                               std::span<const double> targets) {
  Scenario tightest = scenario;
  tightest.goal.loss = Loss{*std::ranges::min_element(targets)};
  const Arena arena(tightest, rows, nullptr);
  const Seconds end = arena.end_of_traces();
  const Seconds own = scenario.goal.deadline;
  std::vector<Regime> regimes{
      {"loose",
       fmt::format("the paper's: {:g} time units are there, and even the longest traced course "
                   "takes {:.1f}",
                   own.value, end.value),
       std::min(own, end)}};
  const auto binding = binding_deadline(arena);
  if (!binding || *binding >= own) return regimes;
  regimes.push_back(
      {"binding",
       fmt::format("ours: {:g} time units, in which the tightest target can be reached, but not by "
                   "the cheapest course",
                   binding->value),
       *binding, true});
  return regimes;
}

}  // namespace espalier
