// SPDX-License-Identifier: Apache-2.0
// A plot as SVG, and nothing more.
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

enum class Scale { Linear, Logarithmic };

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  Scale scale = Scale::Logarithmic;  // of both axes
};

// REQUIRES: there is a point; on logarithmic axes all coordinates are positive.
std::string svg_of(const Plot& plot);
void write_svg(const Plot& plot, const std::filesystem::path& path);

}  // namespace espalier::bench
