// SPDX-License-Identifier: Apache-2.0
#include "render/fit_pictures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "render/axes.h"
#include "render/fit_words.h"
#include "render/svg.h"

namespace espalier {
namespace {

constexpr double kPictureWidth = 460;
constexpr double kPictureHeight = 360;
constexpr Box kFrame{60, 70, 380, 230};
constexpr double kNominal = 0.9;

Scale across(double low, double high) { return {low, high, kFrame.x, kFrame.x + kFrame.width}; }
Scale upwards(double low, double high) { return {low, high, kFrame.y + kFrame.height, kFrame.y}; }

Svg picture(const std::string& title, const std::string& about) {
  Svg svg(kPictureWidth, kPictureHeight, title);
  svg.text({kFrame.x - 44, 26}, title, "title");
  svg.text({kFrame.x - 44, 45}, about, "soft");
  return svg;
}

// A line with dots, in the i-th colour.
void draw_series(Svg& svg, const std::vector<Point>& points, std::size_t colour,
                 const std::vector<std::string>& tooltips) {
  svg.path(points, fmt::format("trace s{}", colour));
  for (std::size_t i = 0; i < points.size(); ++i)
    svg.dot(points[i], 4, colour_class(colour), tooltips[i]);
}

struct Key {
  std::size_t colour;
  std::string_view name;
};

void draw_keys(Svg& svg, const std::vector<Key>& keys, double top = kFrame.y + 14) {
  double y = top;
  for (const Key& key : keys) {
    svg.dot({kFrame.x + 14, y - 4}, 4, colour_class(key.colour));
    svg.text({kFrame.x + 24, y}, key.name, "soft");
    y += 18;
  }
}

// Horizons side by side at equal distances, whatever lies between them.
void draw_horizons(Svg& svg, const EstimatorReport& report, const Scale& x) {
  const double base = kFrame.y + kFrame.height;
  svg.line({kFrame.x, base}, {kFrame.x + kFrame.width, base}, "axis");
  for (std::size_t h = 0; h < report.horizons.size(); ++h) {
    const double at = x(static_cast<double>(h));
    svg.line({at, base}, {at, base + 5}, "axis");
    svg.text({at, base + 19}, std::to_string(report.horizons[h]), "soft middle");
  }
  svg.text({kFrame.x + kFrame.width, base + 36}, "epochs ahead", "soft end");
}

Scale horizon_scale(const EstimatorReport& report) {
  return across(-0.5, static_cast<double>(report.horizons.size()) - 0.5);
}

using Figure = double Metrics::*;

void draw_by_horizon(Svg& svg, const EstimatorReport& report, Voice voice, Figure figure,
                     const Scale& y, std::size_t colour) {
  const VoiceFigures* row = find_voice(report, voice);
  if (row == nullptr) return;
  const Scale x = horizon_scale(report);
  std::vector<Point> points;
  std::vector<std::string> tooltips;
  for (std::size_t h = 0; h < row->by_horizon.size(); ++h) {
    const Metrics& m = row->by_horizon[h];
    if (m.count == 0) continue;
    points.push_back({x(static_cast<double>(h)), y(m.*figure)});
    tooltips.push_back(fmt::format("{} epochs ahead: {:.4g}, of {} predictions", report.horizons[h],
                                   m.*figure, m.count));
  }
  draw_series(svg, points, colour, tooltips);
}

double largest_figure(const EstimatorReport& report, Figure figure) {
  double most = 0;
  for (const Voice voice : {Voice::Network, Voice::Calibrated}) {
    const VoiceFigures* row = find_voice(report, voice);
    if (row == nullptr) continue;
    for (const Metrics& m : row->by_horizon) most = std::max(most, m.*figure);
  }
  return most;
}

}  // namespace

std::string reliability_svg(Subject about, const EstimatorReport& report) {
  Svg svg = picture(about == Subject::Run ? "Losses that go on" : "Losses after pruning",
                    "share of held-out losses within ranges of each level");
  const Scale x = across(0, 1);
  const Scale y = upwards(0, 1);
  draw_number_axis(svg, x, kFrame, "nominal");
  draw_value_axis(svg, y, kFrame, "observed");
  svg.line({x(0), y(0)}, {x(1), y(1)}, "axis");
  std::vector<Point> raw;
  std::vector<Point> calibrated;
  std::vector<std::string> raw_texts;
  std::vector<std::string> texts;
  for (const Reliability& r : report.reliability) {
    raw.push_back({x(r.nominal), y(r.raw)});
    calibrated.push_back({x(r.nominal), y(r.calibrated)});
    raw_texts.push_back(fmt::format("{:.0f} % ranges held {:.1f} %", 100 * r.nominal, 100 * r.raw));
    texts.push_back(
        fmt::format("{:.0f} % ranges held {:.1f} %", 100 * r.nominal, 100 * r.calibrated));
  }
  draw_series(svg, raw, 1, raw_texts);
  draw_series(svg, calibrated, 0, texts);
  draw_keys(svg, {{1, voice_name(about, Voice::Blend)}, {0, voice_name(about, Voice::Calibrated)}});
  return svg.finish();
}

std::string coverage_svg(const EstimatorReport& report) {
  Svg svg = picture("Coverage by horizon", "share of held-out losses within the 90 % range");
  const Scale y = upwards(0.5, 1);
  const Scale x = horizon_scale(report);
  svg.box({x.from, y(0.92), x.to - x.from, y(0.88) - y(0.92)}, "c2 band", "0.88 to 0.92");
  draw_value_axis(svg, y, kFrame, "ICP");
  draw_horizons(svg, report, x);
  svg.line({x.from, y(kNominal)}, {x.to, y(kNominal)}, "limit");
  draw_by_horizon(svg, report, Voice::Network, &Metrics::icp, y, 1);
  draw_by_horizon(svg, report, Voice::Calibrated, &Metrics::icp, y, 0);
  draw_keys(svg, {{1, "network, as fitted"}, {0, "blend, calibrated"}},
            kFrame.y + kFrame.height - 30);
  return svg.finish();
}

std::string lengths_svg(const EstimatorReport& report) {
  Svg svg = picture("Errors and lengths by horizon", "of the calibrated blend");
  const double most = largest_figure(report, &Metrics::mil);
  const Scale y = upwards(0, most > 0 ? 1.08 * most : 1);
  draw_value_axis(svg, y, kFrame, "loss");
  draw_horizons(svg, report, horizon_scale(report));
  draw_by_horizon(svg, report, Voice::Calibrated, &Metrics::mil, y, 0);
  draw_by_horizon(svg, report, Voice::Calibrated, &Metrics::mae, y, 2);
  draw_keys(svg, {{0, "mean length of the range"}, {2, "mean error"}});
  return svg.finish();
}

}  // namespace espalier
