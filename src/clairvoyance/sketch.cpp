// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/sketch.h"

#include <algorithm>
#include <limits>

namespace espalier {
namespace {

// Labels that stay at each placement, and how many a large problem can afford.
constexpr std::size_t kMostLabels = 10;
constexpr std::size_t kLeastLabels = 2;
constexpr std::size_t kLabelsTimesWays = 5000;
constexpr std::uint32_t kNoSketchTrace = 0xffffffff;

struct Label {
  double cost;
  double loss;
  double energy;
  double time;
  std::uint32_t placement;
  std::uint32_t trace;  // its own, or, before it is kept, that of its parent
};
struct Trace {
  std::uint32_t parent;
  std::uint32_t placement;
};

class Sketch {
 public:
  Sketch(Foresight& foresight, const CostWeights& weights, Incumbent& incumbent)
      : foresight_(foresight),
        weights_(weights),
        incumbent_(incumbent),
        goal_(foresight.problem().goal()),
        few_(std::clamp(kLabelsTimesWays / std::max<std::size_t>(1, foresight.ways().all().size()),
                        kLeastLabels, kMostLabels)),
        next_(foresight.ways().placements()) {}

  std::optional<State> draw() {
    const State& start = foresight_.problem().start();
    open_ = {{0, start.loss.value, start.energy.value, start.time.value,
              static_cast<std::uint32_t>(start.placement.index), kNoSketchTrace}};
    for (int epoch = 1; !open_.empty() && foresight_.reaches(epoch); ++epoch) {
      for (const Label& label : open_) extend(label, epoch);
      open_.clear();
      for (auto& labels : next_) keep_few(labels);
    }
    return best_;
  }

 private:
  void extend(const Label& label, int epoch) {
    for (const Ways::Way& way : foresight_.ways().from(label.placement)) {
      Label next{label.cost + weights_.cost(way.energy, way.time),
                 0,
                 label.energy + way.energy,
                 label.time + way.time,
                 way.to,
                 label.trace};
      if (next.cost >= least_ || !foresight_.spot(epoch, way.to).is_reachable) continue;
      next.loss = foresight_.after(epoch, way, label.loss);
      if (next.loss <= goal_.loss_bound().value) {
        least_ = next.cost;
        best_ = incumbent_.offer(path_of(next));
      } else {
        next_[way.to].push_back(next);
      }
    }
  }

  void keep_few(std::vector<Label>& labels) {
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.loss < b.loss;
    });
    std::size_t count = 0;
    for (const Label& label : labels) {
      if (count == 0 || label.loss < labels[count - 1].loss) labels[count++] = label;
    }
    const std::size_t few = std::min(count, few_);
    for (std::size_t i = 0; i < few; ++i) {
      Label label = labels[few == 1 ? 0 : i * (count - 1) / (few - 1)];
      traces_.push_back({label.trace, label.placement});
      label.trace = static_cast<std::uint32_t>(traces_.size() - 1);
      open_.push_back(label);
    }
    labels.clear();
  }

  std::vector<PlacementId> path_of(const Label& label) const {
    std::vector<PlacementId> path{{static_cast<std::int32_t>(label.placement)}};
    for (std::uint32_t t = label.trace; t != kNoSketchTrace; t = traces_[t].parent)
      path.push_back({static_cast<std::int32_t>(traces_[t].placement)});
    std::reverse(path.begin(), path.end());
    return path;
  }

  Foresight& foresight_;
  const CostWeights weights_;
  Incumbent& incumbent_;
  const Goal& goal_;
  const std::size_t few_;
  double least_ = std::numeric_limits<double>::infinity();
  std::optional<State> best_;
  std::vector<Label> open_;
  std::vector<std::vector<Label>> next_;
  std::vector<Trace> traces_;
};

}  // namespace

std::optional<State> sketch_plan(Foresight& foresight, const CostWeights& weights,
                                 Incumbent& incumbent) {
  return Sketch(foresight, weights, incumbent).draw();
}

}  // namespace espalier
