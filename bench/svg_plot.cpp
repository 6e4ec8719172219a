// SPDX-License-Identifier: Apache-2.0
#include "svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace espalier::bench {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 420;
constexpr double kLeft = 80;
constexpr double kRight = 150;
constexpr double kTop = 40;
constexpr double kBottom = 60;
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

// Marks at `low` + i·`step`, in values or in powers of ten, along pixels from `begin` to `end`.
struct Axis {
  Scale scale = Scale::Linear;
  double low = 0;
  double step = 1;
  int marks = 2;
  double begin = 0;
  double end = 1;

  double at(double value) const {
    const double along = scale == Scale::Linear ? value : std::log10(value);
    return begin + (end - begin) * (along - low) / (step * (marks - 1));
  }
  double mark(int i) const {
    const double along = low + i * step;
    return scale == Scale::Linear ? along : std::pow(10, along);
  }
};

// 1, 2 or 5 times a power of ten, such that about five of them make the span.
double round_step(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / 5)));
  const double rest = span / 5 / power;
  return power * (rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1);
}

template <class Coordinate>
Axis axis_of(const Plot& plot, Coordinate coordinate, double begin, double end) {
  double least = 1e300;
  double most = -1e300;
  for (const Series& series : plot.series) {
    for (const Point& point : series.points) {
      const double value = point.*coordinate;
      const double along = plot.scale == Scale::Linear ? value : std::log10(value);
      least = std::min(least, along);
      most = std::max(most, along);
    }
  }
  const double step = plot.scale == Scale::Linear ? round_step(std::max(most - least, 1e-9)) : 1;
  const double low = std::floor(least / step + 1e-9);
  const double high = std::max(low + 1, std::ceil(most / step - 1e-9));
  return {plot.scale, low * step, step, static_cast<int>(high - low) + 1, begin, end};
}

std::string text(double x, double y, const std::string& anchor, const std::string& what) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     what);
}

std::string line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", x1, y1,
      x2, y2);
}

std::string grid(const Axis& x, const Axis& y) {
  std::string svg;
  for (int i = 0; i < x.marks; ++i) {
    const double at = x.at(x.mark(i));
    svg += line(at, y.begin, at, y.end) +
           text(at, y.begin + 18, "middle", fmt::format("{:.4g}", x.mark(i)));
  }
  for (int i = 0; i < y.marks; ++i) {
    const double at = y.at(y.mark(i));
    svg += line(x.begin, at, x.end, at) +
           text(x.begin - 8, at + 4, "end", fmt::format("{:.4g}", y.mark(i)));
  }
  return svg;
}

// One point for each x: its median.
std::vector<Point> medians_of(const Series& series) {
  std::map<double, std::vector<double>> by_x;
  for (const Point& p : series.points) by_x[p.x].push_back(p.y);
  std::vector<Point> medians;
  for (auto& [x, all] : by_x) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    medians.push_back({x, *middle});
  }
  return medians;
}

// All points as dots, a line through their medians.
std::string curve(const Series& series, const Axis& x, const Axis& y, const char* colour) {
  std::string points;
  for (const Point& p : medians_of(series))
    points += fmt::format("{:.1f},{:.1f} ", x.at(p.x), y.at(p.y));
  std::string dots;
  for (const Point& p : series.points) {
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x.at(p.x),
                        y.at(p.y), colour);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                     points, colour) +
         dots;
}

}  // namespace

std::string svg_of(const Plot& plot) {
  const Axis x = axis_of(plot, &Point::x, kLeft, kWidth - kRight);
  const Axis y = axis_of(plot, &Point::y, kHeight - kBottom, kTop);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, kHeight);
  svg += grid(x, y) + text((x.begin + x.end) / 2, 22, "middle", plot.title) +
         text((x.begin + x.end) / 2, kHeight - 14, "middle", plot.x_label) +
         text(8, 22, "start", plot.y_label);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    const double legend = kTop + 20 * static_cast<double>(i);
    svg += curve(plot.series[i], x, y, colour);
    svg += fmt::format("<g fill=\"{}\">{}</g>\n", colour,
                       text(kWidth - kRight + 12, legend + 8, "start", plot.series[i].name));
  }
  return svg + "</svg>\n";
}

void write_svg(const Plot& plot, const std::filesystem::path& path) {
  std::ofstream(path) << svg_of(plot);
}

}  // namespace espalier::bench
