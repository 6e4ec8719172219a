// SPDX-License-Identifier: Apache-2.0
// The paper's figure 4: how a run went, and what was predicted from some of its epochs.
#include <algorithm>

#include <fmt/format.h>

#include "core/infinite.h"
#include "render/axes.h"
#include "render/fit_pictures.h"
#include "render/svg.h"
#include "render/text.h"

namespace espalier {
namespace {

constexpr Box kCurvePanel{60, 70, 380, 230};
constexpr std::size_t kColours = 3;
constexpr int kEpochsBefore = 20;  // of history that are shown

struct Window {
  double begin = kInfinite;
  double end = -kInfinite;
  double low = kInfinite;
  double high = -kInfinite;

  void show(double epoch, double loss) {
    begin = std::min(begin, epoch);
    end = std::max(end, epoch);
    low = std::min(low, loss);
    high = std::max(high, loss);
  }
};

bool is_shown(const SampleCurve& sample, const SampleCurve::Point& point) {
  return sample.starts.empty() || point.epoch >= sample.starts.front().epoch - kEpochsBefore;
}

Window window_of(const SampleCurve& sample) {
  Window window;
  for (const SampleCurve::Point& point : sample.points) {
    if (is_shown(sample, point)) window.show(point.epoch, point.loss);
  }
  for (const SampleCurve::Start& start : sample.starts) {
    for (const SampleCurve::Prediction& p : start.predictions) {
      window.show(static_cast<double>(start.epoch) + static_cast<double>(p.ahead), p.said.low);
      window.show(start.epoch, p.said.mean);
    }
  }
  return window;
}

struct Frame {
  Scale x;
  Scale y;
  // Within the panel, also where a range is longer.
  Point operator()(double epoch, double loss) const {
    return {x(epoch), std::clamp(y(loss), kCurvePanel.y, kCurvePanel.y + kCurvePanel.height)};
  }
};

Frame frame_of(const Window& window) {
  const double margin = 0.06 * std::max(window.high - window.low, 1e-9);
  return {{window.begin, std::max(window.end, window.begin + 1), kCurvePanel.x,
           kCurvePanel.x + kCurvePanel.width},
          {std::max(0.0, window.low - margin), window.high + margin,
           kCurvePanel.y + kCurvePanel.height, kCurvePanel.y}};
}

void draw_truth(Svg& svg, const SampleCurve& sample, const Frame& at) {
  std::vector<Point> points;
  for (const SampleCurve::Point& point : sample.points) {
    if (is_shown(sample, point)) points.push_back(at(point.epoch, point.loss));
  }
  svg.path(points, "curve");
}

void draw_start(Svg& svg, const SampleCurve::Start& start, const Frame& at, std::size_t colour) {
  std::vector<Point> mean{at(start.epoch, start.loss)};
  std::vector<Point> band{mean};
  for (const SampleCurve::Prediction& p : start.predictions) {
    const double epoch = start.epoch + static_cast<double>(p.ahead);
    mean.push_back(at(epoch, p.said.mean));
    band.push_back(at(epoch, p.said.high));
  }
  for (std::size_t i = start.predictions.size(); i-- > 0;) {
    const SampleCurve::Prediction& p = start.predictions[i];
    band.push_back(at(start.epoch + static_cast<double>(p.ahead), p.said.low));
  }
  svg.path(band, "band " + colour_class(colour));
  svg.path(mean, fmt::format("trace dashed s{}", colour));
  svg.dot(mean.front(), 4, colour_class(colour),
          fmt::format("predicted after epoch {}", start.epoch));
}

}  // namespace

std::string sample_svg(const SampleCurve& sample) {
  Svg svg(460, 360, "predicted and true losses of " + sample.run);
  svg.text({16, 26}, cut_to(sample.run, 46), "title");
  svg.text({16, 45},
           fmt::format("{:.3g} % pruned · {} samples · {} classes", 100 * sample.now.prune,
                       sample.now.samples, sample.now.classes),
           "soft");
  const Frame at = frame_of(window_of(sample));
  draw_number_axis(svg, at.x, kCurvePanel, "epoch");
  draw_value_axis(svg, at.y, kCurvePanel, "loss");
  for (std::size_t i = 0; i < sample.starts.size(); ++i)
    draw_start(svg, sample.starts[i], at, i % kColours);
  draw_truth(svg, sample, at);
  return svg.finish();
}

}  // namespace espalier
