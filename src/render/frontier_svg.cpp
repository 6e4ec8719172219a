// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "render/axes.h"
#include "render/figures.h"
#include "render/plan_drawing.h"
#include "render/svg.h"

namespace espalier {
namespace {

constexpr double kFrontierWidth = 960;
constexpr double kFrontierHeight = 480;
constexpr Box kPanel{80, 84, 840, 330};
constexpr double kManyTimes = 30;

// Energies by height: as decimal logarithms where they span orders of magnitude.
struct EnergyAxis {
  double unit = 1;
  std::string name = "energy (J)";
  bool is_log = false;

  double operator()(Joules energy) const {
    const double value = energy.value / unit;
    return is_log ? std::log10(value) : value;
  }
};

EnergyAxis axis_for(Joules most, Joules least) {
  EnergyAxis axis;
  if (most.value >= 1e4) axis = {1e3, "energy (kJ)", false};
  if (most.value >= 1e7) axis = {1e6, "energy (MJ)", false};
  axis.is_log = least.value > 0 && most.value > kManyTimes * least.value;
  return axis;
}

Scale heights(const EnergyAxis& axis, Joules most, Joules least) {
  const double low = axis.is_log ? std::floor(axis(least)) : 0;
  const double high = axis.is_log ? axis(most) + 0.1 : std::max(axis(most), 1e-9) * 1.06;
  return {low, high, kPanel.y + kPanel.height, kPanel.y};
}

// A plan stays the cheapest until the next bound: a staircase.
std::vector<Point> staircase(const std::vector<Point>& corners, double end) {
  std::vector<Point> points;
  for (const Point& corner : corners) {
    if (!points.empty()) points.push_back({corner.x, points.back().y});
    points.push_back(corner);
  }
  points.push_back({end, points.back().y});
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
  Svg svg(kFrontierWidth, kFrontierHeight, "frontier of " + report.planned.scenario.name);
  svg.text({kPanel.x, 30}, report.planned.scenario.name, "title");
  svg.text({kPanel.x, 52},
           fmt::format("least energy for every {}", by_deadline ? "deadline" : "target loss"),
           "soft");
  if (points.empty()) return svg.finish();

  const Joules most = points.front().plan.end().energy;
  const Joules least = points.back().plan.end().energy;
  const EnergyAxis energy = axis_for(most, least);
  const double low = points.front().bound;
  const double high = points.back().bound;
  const double margin = high > low ? 0.06 * (high - low) : 0.1 * std::max(high, 1e-9);
  const Scale x{std::max(0.0, low - margin), high + margin, kPanel.x, kPanel.x + kPanel.width};
  const Scale y = heights(energy, most, least);
  by_deadline ? draw_time_axis(svg, x, kPanel) : draw_number_axis(svg, x, kPanel, "target loss");
  energy.is_log ? draw_log_axis(svg, y, kPanel, energy.name)
                : draw_value_axis(svg, y, kPanel, energy.name);
  std::vector<Point> corners;
  for (const FrontierPoint& p : points)
    corners.push_back({x(p.bound), y(energy(p.plan.end().energy))});
  svg.path(staircase(corners, x.to), "curve");
  for (std::size_t i = 0; i < points.size(); ++i) {
    svg.dot(corners[i], points.size() > 60 ? 2 : 4, "c0", tooltip(report, points[i]));
  }
  return svg.finish();
}

}  // namespace espalier
