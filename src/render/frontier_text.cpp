// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "render/figures.h"
#include "render/plan_report.h"
#include "render/sections.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr std::size_t kMostRows = 25;

// Evenly spread, the first and the last among them.
std::vector<std::size_t> thinned(std::size_t count) {
  std::vector<std::size_t> rows;
  const std::size_t shown = std::min(count, kMostRows);
  for (std::size_t i = 0; i < shown; ++i) {
    rows.push_back(shown < 2 ? 0 : i * (count - 1) / (shown - 1));
  }
  return rows;
}

std::string bound_text(FrontierAxis axis, double bound) {
  return axis == FrontierAxis::Deadline ? duration(Seconds{bound}) : loss_figure(Loss{bound});
}

std::string route(const Problem& problem, const Plan& plan) {
  std::string text;
  for (const Stage& stage : plan.stages()) {
    text += (text.empty() ? "" : " → ") +
            fmt::format("{} × {}", stage.epochs, problem.name_of(stage.placement));
  }
  return printable(text);
}

Row row_of(const FrontierReport& report, const FrontierPoint& point, const EnergyScale& scale,
           double most) {
  const State end = point.plan.end();
  return {{bound_text(report.frontier.axis, point.bound), Style::Bold},
          {scale(end.energy)},
          {bar(most > 0 ? end.energy.value / most : 0, 10), Style::Accent},
          {duration(end.time)},
          {loss_figure(end.loss)},
          {point.gap > 0 ? percent(point.gap) : "0 %"},
          {route(report.planned.problem, point.plan)}};
}

std::vector<std::string> notes_of(const FrontierReport& report, std::size_t shown) {
  std::vector<std::string> notes = report.notes;
  const std::size_t count = report.frontier.points.size();
  if (shown < count) {
    notes.push_back(fmt::format("{} of {} points shown; --format json has all", shown, count));
  }
  if (!report.frontier.complete)
    notes.push_back("points may be missing: the search was thinned or stopped");
  notes.push_back("all figures are estimates from the scenario; nothing was measured");
  return notes;
}

}  // namespace

std::string frontier_text(const FrontierReport& report, const Ink& ink) {
  const auto& points = report.frontier.points;
  const bool by_deadline = report.frontier.axis == FrontierAxis::Deadline;
  const std::string what =
      fmt::format("least energy for every {}, {}", by_deadline ? "deadline" : "target loss",
                  report.planned.strategy.name);
  std::string text = title(report.planned.scenario, report.planned.problem.goal(), what, ink);
  if (points.empty())
    return text + verdict_line("nothing is reachable", Style::Bad, ink) +
           notes_text(report.notes, ink);
  const double most = points.front().plan.end().energy.value;
  const EnergyScale scale(Joules{most}, points.back().plan.end().energy);
  Table table({{by_deadline ? "deadline ≥" : "loss ≥", Align::Right},
               {"energy", Align::Right},
               {""},
               {"time", Align::Right},
               {"loss", Align::Right},
               {"gap", Align::Right},
               {"plan", Align::Left, Fit::Cut}});
  const std::vector<std::size_t> rows = thinned(points.size());
  for (const std::size_t i : rows) table.add(row_of(report, points[i], scale, most));
  return text + "\n" + table.text(ink) + notes_text(notes_of(report, rows.size()), ink) +
         next_text({"espalier plan " + report.planned.words.text() + " --frontier " +
                    (by_deadline ? "deadline" : "loss") + " --svg frontier.svg"},
                   ink);
}

}  // namespace espalier
