// SPDX-License-Identifier: Apache-2.0
#include "estimation/power_law_experience.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace espalier {
namespace {

// The default counts as much as so many stages.
constexpr double kDefaultWeight = 4;
constexpr double kLeastDeviation = 0.05;
constexpr double kLeastNoise = 1e-4;
// From fewer losses a stage cannot tell its floor from its shape.
constexpr std::size_t kShortestStage = 4;

using Lessons = std::vector<PowerLawLesson>;

// Sum of a figure over the lessons, and over the default as often as that counts.
template <class Figure>
double mean_of(const Lessons& lessons, double by_default, Figure figure) {
  double sum = kDefaultWeight * by_default;
  for (const PowerLawLesson& lesson : lessons) sum += figure(lesson);
  return sum / (kDefaultWeight + static_cast<double>(lessons.size()));
}

PowerLawPriors priors_from(const Lessons& lessons) {
  PowerLawPriors priors;
  const double before = priors.floor;
  priors.floor = mean_of(lessons, before, [](const PowerLawLesson& one) { return one.floor; });
  const double variance =
      mean_of(lessons, std::pow(priors.floor_deviation, 2), [&](const PowerLawLesson& one) {
        return one.floor_variance + std::pow(one.floor - priors.floor, 2);
      });
  priors.floor_deviation = std::max(kLeastDeviation, std::sqrt(variance));
  priors.noise = std::exp(mean_of(lessons, std::log(priors.noise), [](const PowerLawLesson& one) {
    return std::log(std::max(one.noise, kLeastNoise));
  }));
  for (std::size_t shape = 0; shape < kShapes; ++shape) {
    priors.shapes[shape] = mean_of(lessons, 1.0 / kShapes,
                                   [&](const PowerLawLesson& one) { return one.shapes[shape]; });
  }
  return priors;
}

// Collects stages as a story goes on.
class Stages {
 public:
  void add(const RunStory& story) {
    for (const StoryPoint& point : story.points) {
      if (!losses_.empty() && point.stage != stage_) close();
      stage_ = point.stage;
      if (point.is_own) losses_.push_back(point.loss);
    }
    close();
  }
  PowerLawExperience experience() const { return {priors_from(fresh_), priors_from(changed_)}; }

 private:
  void close() {
    const std::size_t count = std::min(losses_.size(), PowerLawBelief::kLongestFit);
    if (count >= kShortestStage) {
      const PowerLawBelief belief(std::span<const double>(losses_).first(count), {});
      (stage_ == 0 ? fresh_ : changed_).push_back(belief.lesson());
    }
    losses_.clear();
  }

  std::size_t stage_ = 0;
  std::vector<double> losses_;
  Lessons fresh_;
  Lessons changed_;
};

}  // namespace

PowerLawExperience learn_experience(std::span<const RunStory> stories) {
  Stages stages;
  for (const RunStory& story : stories) stages.add(story);
  return stages.experience();
}

}  // namespace espalier
