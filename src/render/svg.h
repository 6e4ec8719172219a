// SPDX-License-Identifier: Apache-2.0
// A self-contained SVG that reads well on light and on dark ground.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// As text or attribute of XML; control characters become '?'.
std::string xml_escaped(std::string_view text);

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// How something is drawn: a class of the style sheet in svg.cpp, such as "axis" or "c3".
using Look = std::string_view;

// The class of the i-th colour; colours repeat after eight.
std::string colour_class(std::size_t i);

// Owned by one thread. Coordinates are pixels, y grows downward.
class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  void line(Point from, Point to, Look look);
  void path(const std::vector<Point>& points, Look look);
  void box(const Box& box, Look look, std::string_view tooltip = {});
  void dot(Point centre, double radius, Look look, std::string_view tooltip = {});
  void text(Point at, std::string_view text, Look look);

  std::string finish() const;

 private:
  double width_;
  double height_;
  std::string title_;
  std::string body_;
};

// Round numbers that divide [low, high] into about `wanted` parts.
std::vector<double> ticks(double low, double high, int wanted);

// Maps values to pixels.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;
  double operator()(double value) const {
    return high == low ? from : from + (value - low) / (high - low) * (to - from);
  }
};

}  // namespace espalier
