// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/foresight_search.h"

#include <algorithm>

#include "clairvoyance/tolerances.h"
#include "core/infinite.h"

namespace espalier {
namespace {

constexpr std::uint32_t kNoTrace = 0xffffffff;

}  // namespace

ForesightSearch::ForesightSearch(const Foresight& foresight, std::vector<const CostToGo*> bounds,
                                 Incumbent& incumbent)
    : foresight_(foresight),
      bounds_(std::move(bounds)),
      incumbent_(incumbent),
      deadline_(foresight.problem().goal().time_bound().value),
      target_(foresight.problem().goal().loss_bound().value),
      epochs_(foresight.epochs()),
      next_(foresight.ways().placements()) {
  // No plan that counts is longer than a bound goes.
  for (const CostToGo* bound : bounds_) epochs_ = std::min(epochs_, bound->epochs());
  for (const Ways::Way& way : foresight.ways().all())
    longest_way_ = std::max(longest_way_, way.time);
}

double ForesightSearch::run(std::size_t width, const Limits& limits) {
  const State& start = foresight_.problem().start();
  left_out_ = kInfinite;
  traces_.clear();
  open_ = {{start.energy.value, start.time.value, start.loss.value, start.energy.value,
            static_cast<std::uint32_t>(start.placement.index), kNoTrace}};
  for (int epoch = 1; epoch <= epochs_ && !open_.empty(); ++epoch) {
    if (labels_ > limits.max_labels || limits.stop.stop_requested()) break;
    for (const Label& label : open_) extend(label, epoch);
    open_.clear();
    for (auto& labels : next_) keep_undominated(labels, epoch);
    narrow(width);
    for (Label& label : open_) {
      traces_.push_back({label.trace, label.placement});
      label.trace = static_cast<std::uint32_t>(traces_.size() - 1);
    }
  }
  for (const Label& label : open_) left_out_ = std::min(left_out_, label.bound);
  const double none_below = incumbent_.plan() ? incumbent_.energy() : kInfinite;
  return std::min(left_out_, none_below);
}

void ForesightSearch::extend(const Label& label, int epoch) {
  for (const Ways::Way& way : foresight_.ways().from(label.placement)) {
    Label next{label.energy + way.energy, label.time + way.time, 0, 0, way.to, label.trace};
    if (next.time > deadline_ || is_too_dear(next.energy)) continue;
    ++labels_;
    next.loss = foresight_.after(epoch, way, label.loss);
    if (next.loss <= target_) {
      reach_goal(next);
      continue;
    }
    next.bound = std::max(label.bound, bound_of(epoch, next));
    if (!is_too_dear(next.bound)) next_[way.to].push_back(next);
  }
}

void ForesightSearch::reach_goal(const Label& label) {
  std::vector<PlacementId> path = path_to(label.trace);
  path.push_back({static_cast<std::int32_t>(label.placement)});
  incumbent_.offer(path);
  // Where rules are relaxed the truth may fall short.
  if (!is_too_dear(label.energy)) left_out_ = std::min(left_out_, label.energy);
}

double ForesightSearch::bound_of(int epoch, const Label& label) const {
  double bound = label.energy;
  for (const CostToGo* rest : bounds_) {
    const double cost = rest->at(epoch, label.placement, label.loss);
    if (rest->weights().energy == 0) {
      if (label.time + cost > deadline_ * (1 + kRounding)) return kInfinite;
    } else {
      bound =
          std::max(bound, label.energy + cost - rest->weights().time * (deadline_ - label.time));
    }
  }
  return bound;
}

void ForesightSearch::keep_undominated(std::vector<Label>& labels, int epoch) {
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
    if (a.energy != b.energy) return a.energy < b.energy;
    return a.loss != b.loss ? a.loss < b.loss : a.time < b.time;
  });
  // Who has more time left than all that can still be done takes does not profit from it.
  const double in_time = deadline_ - (epochs_ - epoch) * longest_way_ * (1 + 1e-9);
  stair_.clear();
  for (const Label& label : labels) {
    if (!is_too_dear(label.bound) && !is_dominated(label.loss, std::max(label.time, in_time)))
      open_.push_back(label);
  }
  labels.clear();
}

// By a label that costs no more; otherwise it counts from now on.
bool ForesightSearch::is_dominated(double loss, double time) {
  // Loss rises and time falls along the corners.
  const auto above = std::upper_bound(stair_.begin(), stair_.end(), loss,
                                      [](double l, const Corner& c) { return l < c.loss; });
  if (above != stair_.begin() && std::prev(above)->time <= time) return true;
  const auto first = std::lower_bound(stair_.begin(), above, loss,
                                      [](const Corner& c, double l) { return c.loss < l; });
  auto last = first;
  while (last != stair_.end() && last->time >= time) ++last;
  if (first == last) {
    stair_.insert(first, {loss, time});
  } else {
    *first = {loss, time};
    stair_.erase(std::next(first), last);
  }
  return false;
}

void ForesightSearch::narrow(std::size_t width) {
  if (open_.size() <= width) return;
  const auto is_better = [](const Label& a, const Label& b) {
    if (a.bound != b.bound) return a.bound < b.bound;
    if (a.energy != b.energy) return a.energy < b.energy;
    if (a.loss != b.loss) return a.loss < b.loss;
    return a.time != b.time ? a.time < b.time : a.placement < b.placement;
  };
  const auto end = open_.begin() + static_cast<std::ptrdiff_t>(width);
  std::nth_element(open_.begin(), end, open_.end(), is_better);
  for (auto it = end; it != open_.end(); ++it) left_out_ = std::min(left_out_, it->bound);
  open_.erase(end, open_.end());
}

std::vector<PlacementId> ForesightSearch::path_to(std::uint32_t trace) const {
  std::vector<PlacementId> path;
  for (; trace != kNoTrace; trace = traces_[trace].parent)
    path.push_back({static_cast<std::int32_t>(traces_[trace].placement)});
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace espalier
