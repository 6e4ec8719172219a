// SPDX-License-Identifier: Apache-2.0
#include "render/axes.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr int kTicks = 8;

struct AxisUnit {
  double seconds;
  const char* name;
};

AxisUnit unit_for(double seconds) {
  if (seconds < 300) return {1, "s"};
  if (seconds < 3 * 3600) return {60, "min"};
  return seconds < 4 * 86400 ? AxisUnit{3600, "h"} : AxisUnit{86400, "d"};
}

// A line of the grid, and the number it stands for.
void draw_level(Svg& svg, double at, const Box& panel, double value) {
  svg.line({panel.x, at}, {panel.x + panel.width, at}, "grid");
  svg.text({panel.x - 8, at + 4}, fmt::format("{:.6g}", value), "soft end");
}

}  // namespace

void draw_time_axis(Svg& svg, const Scale& x, const Box& panel) {
  const AxisUnit unit = unit_for(x.high);
  const Scale in_unit{x.low / unit.seconds, x.high / unit.seconds, x.from, x.to};
  draw_number_axis(svg, in_unit, panel, fmt::format("time ({})", unit.name));
}

void draw_number_axis(Svg& svg, const Scale& x, const Box& panel, std::string_view name) {
  const double base = panel.y + panel.height;
  svg.line({panel.x, base}, {panel.x + panel.width, base}, "axis");
  for (const double tick : ticks(x.low, x.high, kTicks)) {
    svg.line({x(tick), base}, {x(tick), base + 5}, "axis");
    svg.text({x(tick), base + 19}, fmt::format("{:.6g}", tick), "soft middle");
  }
  svg.text({panel.x + panel.width, base + 36}, name, "soft end");
}

void draw_value_axis(Svg& svg, const Scale& y, const Box& panel, std::string_view name) {
  for (const double tick : ticks(y.low, y.high, kTicks / 2 + 1))
    draw_level(svg, y(tick), panel, tick);
  svg.text({panel.x, panel.y - 8}, name, "soft");
}

void draw_log_axis(Svg& svg, const Scale& y, const Box& panel, std::string_view name) {
  for (double power = std::ceil(y.low); power <= y.high; ++power) {
    draw_level(svg, y(power), panel, std::pow(10, power));
  }
  svg.text({panel.x, panel.y - 8}, name, "soft");
}

}  // namespace espalier
