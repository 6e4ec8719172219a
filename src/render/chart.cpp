// SPDX-License-Identifier: Apache-2.0
#include "render/chart.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/infinite.h"
#include "render/axes.h"
#include "render/legend.h"
#include "render/svg.h"

namespace espalier {
namespace {

constexpr double kChartWidth = 480;
constexpr Box kChartPanel{56, 72, 408, 238};
constexpr double kBelowPanel = 62;  // numbers and name of the axis
constexpr std::size_t kLineColours = 8;
constexpr std::size_t kMostDots = 30;  // more would hide the line

struct Extent {
  double low = kInfinite;
  double high = -kInfinite;

  void show(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

struct ChartScales {
  Scale x;
  Scale y;
  Point operator()(double at, double value) const { return {x(at), y(value)}; }
};

Scale padded(const Extent& extent, double share, double from, double to) {
  if (extent.is_empty()) return {0, 1, from, to};
  const double margin = share * std::max(extent.high - extent.low, 1e-9);
  const double low = extent.low >= 0 ? std::max(0.0, extent.low - margin) : extent.low - margin;
  return {low, extent.high + margin, from, to};
}

ChartScales scales_of(const Chart& chart) {
  Extent x;
  Extent y;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      x.show(point.x);
      y.show(point.y);
      if (point.low) y.show(*point.low);
      if (point.high) y.show(*point.high);
    }
  }
  if (chart.level) y.show(*chart.level);
  if (chart.limit) x.show(*chart.limit);
  return {padded(x, 0.02, kChartPanel.x, kChartPanel.x + kChartPanel.width),
          padded(y, 0.06, kChartPanel.y + kChartPanel.height, kChartPanel.y)};
}

std::string stroke_of(const ChartSeries& series) {
  return fmt::format("s{}", series.colour % kLineColours);
}

std::string line_look(const ChartSeries& series) {
  return "trace " + stroke_of(series) + (series.mark == ChartSeries::Mark::Dashed ? " dashed" : "");
}

// The parts between breaks.
std::vector<std::vector<ChartPoint>> pieces_of(const ChartSeries& series) {
  std::vector<std::vector<ChartPoint>> pieces(1);
  for (const ChartPoint& point : series.points) {
    if (std::isfinite(point.y)) {
      pieces.back().push_back(point);
    } else if (!pieces.back().empty()) {
      pieces.emplace_back();
    }
  }
  if (pieces.back().empty()) pieces.pop_back();
  return pieces;
}

void draw_band(Svg& svg, const ChartSeries& series, const ChartScales& at) {
  for (const auto& piece : pieces_of(series)) {
    std::vector<Point> outline;
    for (const ChartPoint& p : piece) {
      if (p.high) outline.push_back(at(p.x, *p.high));
    }
    for (std::size_t i = piece.size(); i-- > 0;) {
      if (piece[i].low) outline.push_back(at(piece[i].x, *piece[i].low));
    }
    if (outline.size() > 2) svg.path(outline, "band " + colour_class(series.colour));
  }
}

void draw_line(Svg& svg, const ChartSeries& series, const ChartScales& at) {
  const bool has_dots = series.mark == ChartSeries::Mark::Dots || series.points.size() <= kMostDots;
  for (const auto& piece : pieces_of(series)) {
    std::vector<Point> line;
    for (const ChartPoint& p : piece) line.push_back(at(p.x, p.y));
    if (series.mark != ChartSeries::Mark::Dots && line.size() > 1)
      svg.path(line, line_look(series));
    if (!has_dots && line.size() > 1) continue;
    for (std::size_t i = 0; i < piece.size(); ++i)
      svg.dot(line[i], 3.2, colour_class(series.colour),
              fmt::format("{}: {:.4g} at {:.4g}", series.name, piece[i].y, piece[i].x));
  }
}

// Sums that differ in their last digits are drawn alike.
bool is_same(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return !std::isfinite(a) && !std::isfinite(b);
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool is_same(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || is_same(*a, *b));
}

bool is_same_line(const ChartSeries& a, const ChartSeries& b) {
  return a.points.size() > 1 &&
         std::ranges::equal(a.points, b.points, [](const ChartPoint& p, const ChartPoint& q) {
           return is_same(p.x, q.x) && is_same(p.y, q.y) && is_same(p.low, q.low) &&
                  is_same(p.high, q.high);
         });
}

// The first that has the same line: drawn once, or the last one would hide all others.
const ChartSeries& drawn_for(const Chart& chart, const ChartSeries& series) {
  return *std::ranges::find_if(chart.series, [&](const ChartSeries& other) {
    return &other == &series || is_same_line(other, series);
  });
}

std::vector<LegendEntry> legend_of(const Chart& chart) {
  std::vector<LegendEntry> entries;
  for (const ChartSeries& series : chart.series) {
    if (series.name.empty()) continue;
    const ChartSeries& drawn = drawn_for(chart, series);
    const bool is_drawn = &drawn == &series;
    const bool is_dot = drawn.mark == ChartSeries::Mark::Dots;
    entries.push_back({is_drawn ? series.name : series.name + " (same line)",
                       is_dot ? colour_class(drawn.colour) : line_look(drawn), is_dot});
  }
  return entries;
}

void draw_guides(Svg& svg, const Chart& chart, const ChartScales& at) {
  if (chart.level) svg.line(at(at.x.low, *chart.level), at(at.x.high, *chart.level), "limit");
  if (chart.limit) svg.line(at(*chart.limit, at.y.low), at(*chart.limit, at.y.high), "limit");
  if (!chart.has_diagonal) return;
  const double from = std::max(at.x.low, at.y.low);
  const double to = std::min(at.x.high, at.y.high);
  if (from < to) svg.line(at(from, from), at(to, to), "limit");
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  const auto legend = legend_of(chart);
  const double base = kChartPanel.y + kChartPanel.height;
  Svg svg(kChartWidth, base + kBelowPanel + legend_height(legend), chart.title);
  svg.text({16, 26}, chart.title, "title");
  svg.text({16, 45}, chart.about, "soft");
  const ChartScales at = scales_of(chart);
  draw_value_axis(svg, at.y, kChartPanel, chart.y_name);
  draw_number_axis(svg, at.x, kChartPanel, chart.x_name);
  std::vector<const ChartSeries*> drawn;
  for (const ChartSeries& series : chart.series) {
    if (&drawn_for(chart, series) == &series) drawn.push_back(&series);
  }
  for (const ChartSeries* series : drawn) draw_band(svg, *series, at);
  draw_guides(svg, chart, at);
  for (const ChartSeries* series : drawn) draw_line(svg, *series, at);
  draw_legend(svg, legend, {kChartPanel.x - 40, base + kBelowPanel - 6}, kChartWidth - 32);
  return svg.finish();
}

}  // namespace espalier
