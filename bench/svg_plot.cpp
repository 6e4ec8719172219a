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

// A logarithmic axis from one power of ten to another, along pixels from `begin` to `end`.
struct Axis {
  int low = 0;
  int high = 1;
  double begin = 0;
  double end = 1;

  double at(double value) const {
    return begin + (end - begin) * (std::log10(value) - low) / (high - low);
  }
};

template <class Coordinate>
Axis axis_of(const LogLogPlot& plot, Coordinate coordinate, double begin, double end) {
  double least = 1e300;
  double most = 0;
  for (const Series& series : plot.series) {
    for (const Point& point : series.points) {
      least = std::min(least, point.*coordinate);
      most = std::max(most, point.*coordinate);
    }
  }
  const int low = static_cast<int>(std::floor(std::log10(least)));
  return {low, std::max(low + 1, static_cast<int>(std::ceil(std::log10(most)))), begin, end};
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
  for (int power = x.low; power <= x.high; ++power) {
    const double at = x.at(std::pow(10, power));
    svg += line(at, y.begin, at, y.end) +
           text(at, y.begin + 18, "middle", fmt::format("{:g}", std::pow(10, power)));
  }
  for (int power = y.low; power <= y.high; ++power) {
    const double at = y.at(std::pow(10, power));
    svg += line(x.begin, at, x.end, at) +
           text(x.begin - 8, at + 4, "end", fmt::format("{:g}", std::pow(10, power)));
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

std::string svg_of(const LogLogPlot& plot) {
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

void write_svg(const LogLogPlot& plot, const std::filesystem::path& path) {
  std::ofstream(path) << svg_of(plot);
}

}  // namespace espalier::bench
