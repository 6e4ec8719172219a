// SPDX-License-Identifier: Apache-2.0
#include "render/sentences.h"

#include <cmath>

#include <fmt/format.h>

#include "render/figures.h"

namespace espalier {
namespace {

std::string spent_more(const PlanReport& report, const ExtraSpending& extra) {
  const EnergyScale scale(report.result.plan->end().energy);
  return fmt::format("{} on {}, here {}", scale(extra.theirs),
                     report.planned.problem.name_of(extra.placement),
                     extra.ours > Joules{0} ? scale(extra.ours) : "none");
}

std::string in_all(Joules energy, Joules of_plan) {
  const double more = energy / of_plan - 1;
  return fmt::format("{} in all ({})", EnergyScale(of_plan)(energy),
                     std::abs(more) < 1e-9 ? "the same" : signed_percent(more));
}

}  // namespace

std::string why_not(const PlanReport& report, const Alternative& alternative) {
  switch (alternative.standing) {
    case Standing::Dearer:
      return alternative.extra ? spent_more(report, *alternative.extra) : "costs more";
    case Standing::Same:
      return "the same energy";
    case Standing::Cheaper:
      return report.result.chance ? "cheaper" : "cheaper: the chosen strategy is not exact";
    case Standing::Unreachable:
      return alternative.result.plan ? "no such plan reaches the goal; the last resort ends at " +
                                           loss_figure(alternative.result.plan->end().loss)
                                     : "no such plan reaches the goal";
    case Standing::GaveUp:
      return "gave up: too many possibilities";
    case Standing::OutOfTime:
      return "the time was up";
    case Standing::Reaches:
      return "reaches the goal";
  }
  return "";
}

std::string why(const PlanReport& report, const StageReason& reason) {
  const Problem& problem = report.planned.problem;
  const Joules total = report.result.plan->end().energy;
  const std::string name = problem.name_of(reason.stage.placement);
  const std::string instead =
      reason.instead
          ? fmt::format("next best: {} first, {}", problem.name_of(reason.instead->placement),
                        in_all(reason.instead->energy, total))
          : "nothing else reaches the goal";
  const std::string never =
      reason.never ? in_all(*reason.never, total) : "the goal is out of reach";
  return fmt::format("{} from epoch {}: {}; without {} from there on: {}", name, reason.first_epoch,
                     instead, name, never);
}

}  // namespace espalier
