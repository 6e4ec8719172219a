// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "render/axes.h"
#include "render/figures.h"
#include "render/plan_drawing.h"
#include "render/svg.h"

namespace espalier {
namespace {

constexpr double kWidth = 960;
constexpr double kHeight = 480;
constexpr Box kPanel{80, 84, 840, 330};

// Energies by value, in the unit of the largest.
struct EnergyAxis {
  double unit = 1;
  std::string name = "energy (J)";
};

EnergyAxis axis_for(double largest) {
  if (largest >= 1e6) return {1e6, "energy (MJ)"};
  return largest >= 1e3 ? EnergyAxis{1e3, "energy (kJ)"} : EnergyAxis{};
}

// A plan stays the cheapest until the next bound: a staircase.
std::vector<Point> staircase(const Frontier& frontier, const Scale& x, const Scale& y,
                             double unit) {
  std::vector<Point> points;
  for (const FrontierPoint& p : frontier.points) {
    const double height = y(p.plan.end().energy.value / unit);
    if (!points.empty()) points.push_back({x(p.bound), points.back().y});
    points.push_back({x(p.bound), height});
  }
  points.push_back({x.to, points.back().y});
  return points;
}

std::string tooltip(const FrontierReport& report, const FrontierPoint& point) {
  const bool by_deadline = report.frontier.axis == FrontierAxis::Deadline;
  std::string text = fmt::format(
      "{}: {}", by_deadline ? duration(Seconds{point.bound}) : loss_figure(Loss{point.bound}),
      energy_figure(point.plan.end().energy));
  for (const Stage& stage : point.plan.stages()) {
    text += fmt::format("; {} × {}", stage.epochs, report.planned.problem.name_of(stage.placement));
  }
  return text;
}

}  // namespace

std::string frontier_svg(const FrontierReport& report) {
  const auto& points = report.frontier.points;
  const bool by_deadline = report.frontier.axis == FrontierAxis::Deadline;
  Svg svg(kWidth, kHeight, "frontier of " + report.planned.scenario.name);
  svg.text({kPanel.x, 30}, report.planned.scenario.name, "title");
  svg.text({kPanel.x, 52},
           fmt::format("least energy for every {}", by_deadline ? "deadline" : "target loss"),
           "soft");
  if (points.empty()) return svg.finish();

  const double most = points.front().plan.end().energy.value;
  const EnergyAxis energy = axis_for(most);
  const double low = points.front().bound;
  const double high = points.back().bound;
  const double margin = high > low ? 0.06 * (high - low) : 0.1 * std::max(high, 1e-9);
  const Scale x{std::max(0.0, low - margin), high + margin, kPanel.x, kPanel.x + kPanel.width};
  const Scale y{0, std::max(most / energy.unit, 1e-9) * 1.06, kPanel.y + kPanel.height, kPanel.y};
  by_deadline ? draw_time_axis(svg, x, kPanel) : draw_number_axis(svg, x, kPanel, "target loss");
  draw_value_axis(svg, y, kPanel, energy.name);
  svg.path(staircase(report.frontier, x, y, energy.unit), "curve");
  for (const FrontierPoint& p : points) {
    svg.dot({x(p.bound), y(p.plan.end().energy.value / energy.unit)}, points.size() > 60 ? 2 : 4,
            "c0", tooltip(report, p));
  }
  return svg.finish();
}

}  // namespace espalier
