// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "render/axes.h"
#include "render/chart.h"
#include "render/legend.h"
#include "render/svg.h"

namespace espalier {
namespace {

constexpr double kBarsWidth = 480;
constexpr Box kBarsPanel{56, 72, 408, 214};
constexpr double kBelowBars = 92;  // names of bars and groups

double height_of(const BarChart::Bar& bar) {
  return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0);
}

double highest_bar(const BarChart& chart) {
  double most = 0;
  for (const auto& group : chart.groups) {
    for (const auto& bar : group.bars) most = std::max(most, height_of(bar));
  }
  return most > 0 ? most : 1;
}

std::size_t bar_count(const BarChart& chart) {
  std::size_t count = 0;
  for (const auto& group : chart.groups) count += group.bars.size();
  return std::max<std::size_t>(count, 1);
}

void draw_bar(Svg& svg, const BarChart& chart, const BarChart::Bar& bar, const Box& room,
              const Scale& y) {
  double below = 0;
  for (std::size_t i = 0; i < bar.parts.size(); ++i) {
    const double top = below + bar.parts[i];
    svg.box({room.x, y(top), room.width, y(below) - y(top)}, colour_class(i),
            fmt::format("{}, {}: {:.4g}", bar.name, chart.parts[i], bar.parts[i]));
    below = top;
  }
}

std::vector<LegendEntry> legend_of(const BarChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.parts.size(); ++i)
    legend.push_back({chart.parts[i], colour_class(i)});
  return legend;
}

}  // namespace

std::string bar_chart_svg(const BarChart& chart) {
  const auto legend = legend_of(chart);
  const double base = kBarsPanel.y + kBarsPanel.height;
  Svg svg(kBarsWidth, base + kBelowBars + legend_height(legend), chart.title);
  svg.text({16, 26}, chart.title, "title");
  svg.text({16, 45}, chart.about, "soft");
  const Scale y{0, 1.06 * highest_bar(chart), base, kBarsPanel.y};
  draw_value_axis(svg, y, kBarsPanel, chart.y_name);
  // Groups are half a bar apart.
  const double slots = static_cast<double>(bar_count(chart)) +
                       0.5 * static_cast<double>(std::max<std::size_t>(chart.groups.size(), 1) - 1);
  const double slot = kBarsPanel.width / slots;
  double x = kBarsPanel.x;
  std::size_t number = 0;
  for (const auto& group : chart.groups) {
    const double begin = x;
    for (const auto& bar : group.bars) {
      draw_bar(svg, chart, bar, {x + 0.12 * slot, 0, 0.76 * slot, 0}, y);
      // In two heights, so that long names have room.
      svg.text({x + slot / 2, base + (number++ % 2 == 0 ? 16 : 31)}, bar.name, "soft middle");
      x += slot;
    }
    svg.text({(begin + x) / 2, base + 52}, group.name, "middle");
    x += slot / 2;
  }
  svg.line({kBarsPanel.x, base}, {kBarsPanel.x + kBarsPanel.width, base}, "axis");
  draw_legend(svg, legend, {kBarsPanel.x - 40, base + kBelowBars - 12}, kBarsWidth - 32);
  return svg.finish();
}

}  // namespace espalier
