// SPDX-License-Identifier: Apache-2.0
#include "outlook/imagined_outlook.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "outlook/believed_curves.h"
#include "outlook/questions.h"

namespace espalier {
namespace {

// Changes are imagined after so many epochs at where they begin.
constexpr std::array kChangeEpochs{0, 2, 5, 10, 20, 40};

// Epochs that fit before the deadline, at least one and at most `most`.
int epochs_left(const Problem& problem, PlacementId at, const State& now, int most) {
  const double step = problem.training(at).time.value;
  const double left = (problem.goal().time_bound() - now.time).value;
  if (step <= 0 || left >= step * most) return most;
  return std::max(1, static_cast<int>(std::ceil(left / step)));
}

// What is asked, and where the answers belong. Owned by one thread.
class Questions {
 public:
  Questions(const Problem& base, const State& now, const OutlookOptions& options)
      : base_(base),
        now_(now),
        options_(options),
        ways_(ways_to(base, now.placement, options.passing_epochs)),
        steps_(model_steps(base, ways_)) {
    ask_curves();
    ask_changes();
  }

  std::span<const Itinerary> all() const { return asked_; }

  std::vector<LearningView> learning(std::span<const Imagined> answers) const {
    const Representatives first = representatives(base_);
    std::vector<LearningView> views;
    for (std::size_t i = 0; i < base_.size(); ++i) {
      const auto curve = curves_[first[i].pos()];
      const Training& old = base_.placements()[i];
      views.push_back(curve ? view(answers[*curve], old) : LearningView{old.rule, old.noise});
    }
    return views;
  }

  std::vector<JumpView> jumps(std::span<const Imagined> answers) const {
    std::vector<JumpView> views;
    std::size_t answer = first_change_;
    for (const ModelStep& step : steps_) {
      const Imagined& curve = answers[*curves_[step.at.pos()]];
      std::vector<ImaginedJump> points;
      for (const int epochs : kChangeEpochs) {
        points.push_back({loss_after(curve, epochs), answers[answer++].arrival});
      }
      const JumpBelief belief = jump_of(points);
      views.push_back({step.from, step.to, belief.jump, belief.noise});
    }
    return views;
  }

 private:
  void ask_curves() {
    curves_.resize(ways_.size());
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      if (!ways_[i]) continue;
      curves_[i] = asked_.size();
      asked_.push_back(*ways_[i]);
      asked_.back().back().epochs =
          epochs_left(base_, asked_.back().back().at, now_, options_.epochs);
    }
    first_change_ = asked_.size();
  }

  void ask_changes() {
    for (const ModelStep& step : steps_) {
      for (const int epochs : kChangeEpochs) {
        Itinerary way = *ways_[step.at.pos()];
        way.back().epochs = epochs;
        way.push_back({step.next, 0});
        asked_.push_back(std::move(way));
      }
    }
  }

  LearningView view(const Imagined& imagined, const Training& old) const {
    const Estimated<CurveRule> curves = curves_of(imagined);
    const double factor = old.rule.expected.factor();  // of the data option
    return {{LearningRule(curves.expected, factor), LearningRule(curves.robust, factor)},
            noise_of(imagined, base_.goal().loss.value)};
  }

  static double loss_after(const Imagined& curve, int epochs) {
    if (epochs == 0) return curve.arrival.mean;
    const auto last = std::min<std::size_t>(static_cast<std::size_t>(epochs), curve.losses.size());
    return curve.losses[last - 1].mean;
  }

  const Problem& base_;
  const State& now_;
  const OutlookOptions& options_;
  const std::vector<std::optional<Itinerary>> ways_;
  const std::vector<ModelStep> steps_;
  std::vector<Itinerary> asked_;
  std::vector<std::optional<std::size_t>> curves_;  // by placement, position in asked_
  std::size_t first_change_ = 0;
};

}  // namespace

Beliefs imagine_beliefs(const Problem& base, const Imagination& imagination, const Plan& course,
                        const OutlookOptions& options) {
  const State now = course.end();
  const Questions questions(base, now, options);
  const std::vector<Imagined> answers = imagination.imagine(course, questions.all(), options.ways);
  return {questions.learning(answers), questions.jumps(answers)};
}

Problem ImaginedOutlook::after(const Plan& course) {
  Beliefs beliefs = imagine_beliefs(base_, imagination_, course, options_);
  for (std::size_t i = 0; i < imagined_.size(); ++i) {
    const Training& kept = base_.placements()[i];
    if (!imagined_[i]) beliefs.learning[i] = {kept.rule, kept.noise};
  }
  return base_.with_views(beliefs.learning, beliefs.jumps);
}

}  // namespace espalier
