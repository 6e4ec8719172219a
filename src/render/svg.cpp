// SPDX-License-Identifier: Apache-2.0
#include "render/svg.h"

#include <cmath>

#include <fmt/format.h>

#include "render/text.h"

namespace espalier {
namespace {

// Plain colours first, for viewers that know neither variables nor media queries.
constexpr std::string_view kStyle = R"(<style>
  text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2430; }
  .ground { fill: #ffffff; }
  .title { font-size: 17px; font-weight: 600; }
  .soft { fill: #6b7280; font-size: 12px; }
  .middle { text-anchor: middle; }
  .end { text-anchor: end; }
  .bad { fill: #c2362b; font-size: 12px; }
  .grid { stroke: #e3e6ea; stroke-width: 1; }
  .axis { stroke: #6b7280; stroke-width: 1; }
  .limit { stroke: #c2362b; stroke-width: 1.5; stroke-dasharray: 6 4; }
  .curve { fill: none; stroke: #1f2430; stroke-width: 2; stroke-linejoin: round; }
  .faint { stroke: #6b7280; stroke-width: 0.7; opacity: 0.45; }
  .chosen { stroke: #1f2430; stroke-width: 2.5; }
  .ring { fill: none; stroke: #1f2430; stroke-width: 2; }
  .band { opacity: 0.22; }
  .trace { fill: none; stroke-width: 2; stroke-linejoin: round; }
  .dashed { stroke-dasharray: 5 4; }
  .s0 { stroke: #4c78a8; } .s1 { stroke: #f58518; } .s2 { stroke: #54a24b; } .s3 { stroke: #b279a2; }
  .s4 { stroke: #e45756; } .s5 { stroke: #72b7b2; } .s6 { stroke: #eeca3b; } .s7 { stroke: #9d755d; }
  .c0 { fill: #4c78a8; } .c1 { fill: #f58518; } .c2 { fill: #54a24b; } .c3 { fill: #b279a2; }
  .c4 { fill: #e45756; } .c5 { fill: #72b7b2; } .c6 { fill: #eeca3b; } .c7 { fill: #9d755d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8eaee; } .ground { fill: #14171c; } .soft { fill: #9aa3af; } .bad { fill: #ff7b6e; }
    .grid { stroke: #2c323b; } .axis, .faint { stroke: #9aa3af; } .limit { stroke: #ff7b6e; }
    .curve, .chosen, .ring { stroke: #e8eaee; }
  }
</style>
)";

std::string tooltip_of(std::string_view text) {
  return text.empty() ? "" : "<title>" + xml_escaped(text) + "</title>";
}

std::string number(double value) { return fmt::format("{:.2f}", std::isfinite(value) ? value : 0); }

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string colour_class(std::size_t i) { return "c" + std::to_string(i % 8); }

Svg::Svg(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(title) {
  box({0, 0, width, height}, "ground");
}

void Svg::line(Point from, Point to, Look look) {
  body_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", look,
                       number(from.x), number(from.y), number(to.x), number(to.y));
}

void Svg::path(const std::vector<Point>& points, Look look) {
  body_ += fmt::format("<path class=\"{}\" d=\"", look);
  char command = 'M';
  for (const Point& p : points) {
    body_ += fmt::format("{}{} {}", command, number(p.x), number(p.y));
    command = 'L';
  }
  body_ += "\"/>\n";
}

void Svg::box(const Box& box, Look look, std::string_view tooltip) {
  body_ +=
      fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}</rect>\n",
                  look, number(box.x), number(box.y), number(std::max(0.0, box.width)),
                  number(std::max(0.0, box.height)), tooltip_of(tooltip));
}

void Svg::dot(Point centre, double radius, Look look, std::string_view tooltip) {
  body_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\">{}</circle>\n", look,
                       number(centre.x), number(centre.y), number(radius), tooltip_of(tooltip));
}

void Svg::text(Point at, std::string_view text, Look look) {
  body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", look, number(at.x),
                       number(at.y), xml_escaped(text));
}

std::string Svg::finish() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n{3}{4}</svg>\n",
      width_, height_, xml_escaped(title_), kStyle, body_);
}

std::vector<double> ticks(double low, double high, int wanted) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / wanted;
  const double magnitude = std::pow(10, std::floor(std::log10(raw)));
  double step = magnitude;
  for (const double nice : {2.0, 5.0, 10.0}) {
    if (step < raw) step = nice * magnitude;
  }
  std::vector<double> all;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; (first + i) * step <= high + 1e-9 * step; ++i) all.push_back((first + i) * step);
  return all;
}

}  // namespace espalier
