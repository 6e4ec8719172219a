// SPDX-License-Identifier: Apache-2.0
// A log–log plot as SVG, and nothing more.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace espalier::bench {

struct Point {
  double x = 0;
  double y = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;
};

struct LogLogPlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
};

// REQUIRES: all coordinates are positive, and there is a point.
std::string svg_of(const LogLogPlot& plot);
void write_svg(const LogLogPlot& plot, const std::filesystem::path& path);

}  // namespace espalier::bench
