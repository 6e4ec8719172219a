// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "estimation/kindred_stages.h"
#include "estimation/kinship.h"

namespace espalier {
namespace {

constexpr double kLossScales[] = {0.06, 0.2, 0.6};
constexpr double kEpochScales[] = {0.15, 0.5, 1.5};
// Deviations count as if there had been so many more that were gone later.
constexpr double kDoubt = 5;
constexpr double kLeastSpread = 1e-3;

struct Told {
  KindredStage stage;
  std::string family;
};

StageBeginning beginning_at(const RunStory& story, std::size_t first) {
  History history{.losses = {}, .now = story.points[first].now, .stage = first};
  for (std::size_t i = 0; i <= first; ++i) history.losses.push_back(story.points[i].loss);
  if (first > 0) history.before = story.points[first - 1].now;
  return beginning_of(history);
}

// Each stage that the run added something to, from its beginning.
void tell(const RunStory& story, std::vector<Told>& all) {
  const auto& points = story.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].is_own) continue;
    const std::size_t first = points[i].stage;
    Told told{{beginning_at(story, first), {}}, story.family};
    std::size_t end = first;
    for (; end < points.size() && points[end].stage == first; ++end) {
      if (told.stage.losses.size() < kLongestKindredStage)
        told.stage.losses.push_back(log_loss(points[end].loss));
    }
    if (told.stage.losses.size() > 1) all.push_back(std::move(told));
    i = end - 1;
  }
}

// Evenly, if there are too many.
std::vector<Told> stages_of(std::span<const RunStory> stories) {
  std::vector<Told> all;
  for (const RunStory& story : stories) tell(story, all);
  if (all.size() <= kMostKindredStages) return all;
  std::vector<Told> some;
  for (std::size_t i = 0; i < kMostKindredStages; ++i)
    some.push_back(std::move(all[i * all.size() / kMostKindredStages]));
  return some;
}

// A stage, and what those of other families say of it.
struct Compared {
  const KindredStage* stage;
  std::vector<double> curve;  // as long as the stage
};

class Comparison {
 public:
  explicit Comparison(const std::vector<Told>& told) : told_(told) {
    for (const Told& one : told) stages_.push_back(one.stage);
  }

  // Gaps: those that began after as many losses are not asked, so that it shows how well is guessed
  // what lies between stages that were traced.
  enum class Asking { All, Gaps };
  std::vector<Compared> with(const KinshipScales& scales, Asking asking) const {
    std::vector<Compared> all;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const StageBeginning& beginning = stages_[i].beginning;
      Kin kin = kin_of(beginning, stages_, scales);
      std::erase_if(kin, [&](const Kinsman& one) { return !may_ask(*one.stage, i, asking); });
      if (kin.empty()) continue;
      kin = leaned(std::move(kin), beginning, scales);
      all.push_back({&stages_[i], mean_curve(kin, stages_[i].losses.size())});
    }
    return all;
  }

  const std::vector<KindredStage>& stages() const { return stages_; }

 private:
  bool may_ask(const KindredStage& other, std::size_t index, Asking asking) const {
    const auto position = static_cast<std::size_t>(&other - stages_.data());
    if (told_[position].family == told_[index].family) return false;
    return asking == Asking::All || other.beginning.epochs != stages_[index].beginning.epochs;
  }

  const std::vector<Told>& told_;
  std::vector<KindredStage> stages_;
};

// Mean over the stages of the mean error at the horizons, seen from the arrival.
double error_of(const std::vector<Compared>& all) {
  double sum = 0;
  for (const Compared& one : all) {
    double errors = 0;
    double count = 0;
    for (const std::size_t epochs : kHorizons) {
      if (epochs >= one.curve.size()) break;
      errors += std::abs(one.stage->losses[epochs] - one.curve[epochs]);
      ++count;
    }
    sum += errors / count;
  }
  return sum / static_cast<double>(all.size());
}

// With the least error, of those with which nearly as many stages have kin as with any; nothing if
// none has.
std::optional<KinshipScales> best_scales(const Comparison& comparison, Comparison::Asking asking) {
  struct Tried {
    KinshipScales scales;
    std::size_t count;
    double error;
  };
  std::vector<Tried> all;
  std::size_t most = 1;
  for (const double loss : kLossScales) {
    for (const double epochs : kEpochScales) {
      const std::vector<Compared> compared = comparison.with({loss, epochs}, asking);
      most = std::max(most, compared.size());
      all.push_back({{loss, epochs}, compared.size(), error_of(compared)});
    }
  }
  std::optional<Tried> best;
  for (const Tried& one : all) {
    if (20 * one.count >= 19 * most && (!best || one.error < best->error)) best = one;
  }
  if (!best) return std::nullopt;
  return best->scales;
}

// What is left of deviations: a line through the origin.
class LastingSums {
 public:
  void add(double now, double later) {
    ++count_;
    now_now_ += now * now;
    now_later_ += now * later;
    later_later_ += later * later;
  }
  Lasting lasting() const {
    if (count_ == 0) return {};
    const double doubt = kDoubt * now_now_ / count_;
    const double share = now_now_ > 0 ? now_later_ / (now_now_ + doubt) : 0;
    const double left = later_later_ - 2 * share * now_later_ + share * share * now_now_;
    return {std::clamp(share, -1.0, 1.5), std::sqrt(std::max(0.0, left / count_)) + kLeastSpread};
  }
  bool is_empty() const { return count_ == 0; }

 private:
  double count_ = 0;
  double now_now_ = 0;
  double now_later_ = 0;
  double later_later_ = 0;
};

using Sums = std::array<std::array<LastingSums, kHorizons.size()>, kStageAges>;

void add(const Compared& one, Sums& sums) {
  const std::vector<double>& losses = one.stage->losses;
  Deviation deviation;
  for (std::size_t age = 0; age < losses.size(); ++age) {
    deviation.add(losses[age] - one.curve[age]);
    for (std::size_t h = 0; h < kHorizons.size(); ++h) {
      const std::size_t later = age + kHorizons[h];
      if (later < losses.size())
        sums[age_group(age)][h].add(deviation.value(), losses[later] - one.curve[later]);
    }
  }
}

// Where nothing was seen, what holds of the horizon before, or of the younger.
std::array<LastingAhead, kStageAges> lasting_of(const std::vector<Compared>& all) {
  Sums sums;
  for (const Compared& one : all) add(one, sums);
  std::array<LastingAhead, kStageAges> lasting{};
  for (std::size_t age = 0; age < kStageAges; ++age) {
    for (std::size_t h = 0; h < kHorizons.size(); ++h) {
      if (!sums[age][h].is_empty()) {
        lasting[age][h] = sums[age][h].lasting();
      } else if (h > 0) {
        lasting[age][h] = lasting[age][h - 1];
      } else if (age > 0) {
        lasting[age][h] = lasting[age - 1][h];
      }
    }
  }
  return lasting;
}

}  // namespace

KindredExperience learn_kindred(std::span<const RunStory> stories) {
  const std::vector<Told> told = stages_of(stories);
  const Comparison comparison(told);
  using Asking = Comparison::Asking;
  const auto near = best_scales(comparison, Asking::All);
  if (!near) return {};
  const auto far = best_scales(comparison, Asking::Gaps);
  return {comparison.stages(), *near, far.value_or(*near),
          lasting_of(comparison.with(*near, Asking::All))};
}

}  // namespace espalier
