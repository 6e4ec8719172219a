// SPDX-License-Identifier: Apache-2.0
#include "outlook/imagined_outlook.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/infinite.h"
#include "outlook/believed_curves.h"
#include "outlook/questions.h"

namespace espalier {
namespace {

// Changes are imagined after so many epochs at where they begin. The sooner, the more it counts.
constexpr std::array kChangeEpochs{0, 2, 5, 12, 30};
constexpr double kAnchorWeight = 100;

double lowest_of(const Imagined& imagined) {
  double lowest = imagined.arrival.mean;
  for (const LossRange& range : imagined.losses) lowest = std::min(lowest, range.mean);
  return lowest;
}

std::optional<int> epochs_to_goal(const Imagined& imagined, double goal) {
  for (std::size_t i = 0; i < imagined.losses.size(); ++i) {
    if (imagined.losses[i].mean <= goal) return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

// The range when the goal is expected to be reached; at the end if it is not.
LossRange range_at_goal(const Imagined& imagined, double goal) {
  if (imagined.losses.empty())
    return {imagined.arrival.mean, imagined.arrival.mean, imagined.arrival.mean};
  const auto epochs = epochs_to_goal(imagined, goal);
  return epochs ? imagined.losses[static_cast<std::size_t>(*epochs) - 1] : imagined.losses.back();
}

// What the doubt about an arrival adds to the doubt about the loss at the goal, which the robust
// rule knows of. The two are independent, so they add up as the legs of a right triangle. Doubts
// are shares of losses: one that is off on arrival is off by no more than that share later.
double added_reach(const Imagined& arriving, double goal) {
  const LossRange& arrival = arriving.arrival;
  const auto doubt = [](const LossRange& range) {
    return range.mean > 0 ? std::max(0.0, range.high / range.mean - 1) : 0;
  };
  const double known = doubt(range_at_goal(arriving, goal));
  return arrival.mean * (std::hypot(doubt(arrival), known) - known);
}

// Epochs that fit before the deadline, at least one and at most `most`.
int epochs_left(const Problem& problem, PlacementId at, const State& now, int most) {
  const double step = problem.training(at).time.value;
  const double left = (problem.goal().time_bound() - now.time).value;
  if (step <= 0 || left >= step * most) return most;
  return std::max(1, static_cast<int>(std::ceil(left / step)));
}

// Since the last change of models or node sets.
int epochs_here(const Problem& problem, const Plan& course) {
  const auto is_same = [&](PlacementId a, PlacementId b) {
    const Placement& x = problem.training(a).at;
    const Placement& y = problem.training(b).at;
    return x.model == y.model && x.nodes == y.nodes;
  };
  int count = 0;
  for (auto step = course.steps.rbegin(); step != course.steps.rend(); ++step, ++count) {
    if (!is_same(step->placement, course.end().placement)) break;
  }
  return count;
}

// What is asked, and where the answers belong. Owned by one thread.
class Questions {
 public:
  Questions(const Problem& base, const Plan& course, const OutlookOptions& options)
      : base_(base),
        now_(course.end()),
        stayed_(epochs_here(base, course)),
        options_(options),
        ways_(ways_to(base, now_.placement, options.passing_epochs)),
        steps_(model_steps(base, ways_)),
        general_steps_(steps_.size()) {
    for (const ModelStep& step : next_steps(base, now_.placement)) steps_.push_back(step);
    ask_curves();
    ask_changes();
  }

  std::span<const Itinerary> all() const { return asked_; }

  std::vector<LearningView> learning(std::span<const Imagined> answers) const {
    const Representatives first = representatives(base_);
    std::vector<LearningView> views;
    for (std::size_t i = 0; i < base_.size(); ++i) {
      const PlacementId at = first[i];
      const Training& old = base_.placements()[i];
      if (!curves_[at.pos()]) {
        views.push_back({old.rule, old.noise});
      } else if (const auto step = step_to(at)) {
        const Changes changes = changes_of(*step, answers);
        views.push_back(view(with_earlier_arrivals(changes), changes.reference(), old));
      } else {
        const Imagined& curve = answers[*curves_[at.pos()]];
        views.push_back(view(curve, curve, old));
      }
    }
    return views;
  }

  // What holds whoever hands over to whom, then what is known better.
  std::vector<JumpView> jumps(std::span<const Imagined> answers) const {
    std::vector<JumpView> views;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const ModelStep& step = steps_[i];
      const JumpBelief belief = jump_of(points_of(changes_of(i, answers)));
      std::optional<JumpView::Nodes> nodes;
      if (i >= general_steps_)
        nodes = {base_.training(step.at).at.nodes, base_.training(step.next).at.nodes};
      views.push_back({step.from, step.to, nodes, belief.jump, belief.noise});
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
      asked_.back().back().epochs = longest_at(asked_.back());
    }
    first_change_ = asked_.size();
  }

  void ask_changes() {
    for (const ModelStep& step : steps_) {
      for (const int epochs : kChangeEpochs) {
        Itinerary way = *ways_[step.at.pos()];
        way.back().epochs = std::min(epochs, longest_at(way));
        way.push_back({step.next, 0});
        way.back().epochs = longest_at(way);
        asked_.push_back(std::move(way));
      }
    }
  }

  // Epochs of the last leg that are worth imagining.
  int longest_at(const Itinerary& way) const {
    const PlacementId at = way.back().at;
    const int left = epochs_left(base_, at, now_, options_.epochs);
    if (options_.longest_stays.empty()) return left;
    const int stayed = way.size() == 1 ? stayed_ : 0;
    return std::clamp(options_.longest_stays[at.pos()] - stayed, 1, left);
  }

  // The same change after different stays.
  struct Changes {
    const Imagined& before;              // the curve of where it begins
    std::span<const Imagined> arrivals;  // one for each of kChangeEpochs
    std::size_t chosen;                  // whose curve is the rule of the new placement
    const Imagined* rule = nullptr;      // unless it is that of a change from elsewhere

    const Imagined& reference() const { return rule != nullptr ? *rule : arrivals[chosen]; }
  };

  // The change through which a placement that is further away is reached.
  std::optional<std::size_t> step_to(PlacementId next) const {
    const Itinerary& way = *ways_[next.pos()];
    if (way.size() < 3) return std::nullopt;
    for (std::size_t i = 0; i < general_steps_; ++i) {
      if (steps_[i].next == next && steps_[i].at == way[way.size() - 2].at) return i;
    }
    return std::nullopt;
  }

  Changes changes_of(std::size_t index, std::span<const Imagined> answers) const {
    const ModelStep& step = steps_[index];
    Changes changes{
        answers[*curves_[step.at.pos()]],
        answers.subspan(first_change_ + index * kChangeEpochs.size(), kChangeEpochs.size()), 0};
    if (step_to(step.next) == index) {
      changes.chosen = best_stay(step, changes);
    } else if (ways_[step.at.pos()]->size() > 1) {
      changes.rule = &answers[*curves_[step.next.pos()]];
    }
    return changes;
  }

  // After which the goal is reached with the least energy; if it never is, the least loss.
  std::size_t best_stay(const ModelStep& step, const Changes& changes) const {
    const double here = base_.training(step.at).energy.value;
    const double there = base_.training(step.next).energy.value;
    std::size_t best = 0;
    double least = kInfinite;
    double lowest = kInfinite;
    for (std::size_t i = 0; i < kChangeEpochs.size(); ++i) {
      const double end = lowest_of(changes.arrivals[i]);
      const auto epochs = epochs_to_goal(changes.arrivals[i], base_.goal().loss.value);
      const double energy = epochs ? kChangeEpochs[i] * here + *epochs * there : kInfinite;
      if (energy > least || (energy == least && end >= lowest)) continue;
      best = i;
      least = energy;
      lowest = end;
    }
    return best;
  }

  std::vector<ImaginedJump> points_of(const Changes& changes) const {
    std::vector<ImaginedJump> points;
    for (std::size_t i = changes.rule != nullptr ? 0 : changes.chosen; i < kChangeEpochs.size();
         ++i) {
      const Imagined& arriving = changes.arrivals[i];
      const double worth = worth_of_arrival(arriving, changes.reference(), base_.goal().loss.value);
      const double reach = added_reach(arriving, base_.goal().loss.value);
      points.push_back({loss_after(changes.before, kChangeEpochs[i]),
                        {worth, worth, worth + reach},
                        1.0 / (1 + kChangeEpochs[i] - kChangeEpochs[changes.chosen])});
    }
    // Where the rule begins, the line has to be right.
    if (changes.rule == nullptr) points.front().weight *= kAnchorWeight;
    return points;
  }

  // The rule of a placement that is further away: those who leave for it earlier than is best
  // arrive higher on its curve.
  Imagined with_earlier_arrivals(const Changes& changes) const {
    const Jump jump = jump_of(points_of(changes)).jump.expected;
    std::vector<Beginning> beginnings;
    for (std::size_t i = changes.chosen; i-- > 0;) {
      const auto behind =
          epochs_behind(changes.arrivals[i], changes.reference(), base_.goal().loss.value);
      if (behind)
        beginnings.push_back({*behind, jump.apply(loss_after(changes.before, kChangeEpochs[i]))});
    }
    return preceded_by(beginnings, changes.reference());
  }

  // `luck`: whose ensemble tells the noise.
  LearningView view(const Imagined& imagined, const Imagined& luck, const Training& old) const {
    const Estimated<CurveRule> curves = curves_of(imagined);
    const double factor = old.rule.expected.factor();  // of the data option
    return {{LearningRule(curves.expected, factor), LearningRule(curves.robust, factor)},
            noise_of(luck, base_.goal().loss.value)};
  }

  static double loss_after(const Imagined& curve, int epochs) {
    if (epochs == 0) return curve.arrival.mean;
    const auto last = std::min<std::size_t>(static_cast<std::size_t>(epochs), curve.losses.size());
    return curve.losses[last - 1].mean;
  }

  const Problem& base_;
  const State now_;
  const int stayed_;  // epochs of the stage at hand
  const OutlookOptions& options_;
  const std::vector<std::optional<Itinerary>> ways_;
  std::vector<ModelStep> steps_;
  const std::size_t general_steps_;  // so many of them tell of models, the others of placements
  std::vector<Itinerary> asked_;
  std::vector<std::optional<std::size_t>> curves_;  // by placement, position in asked_
  std::size_t first_change_ = 0;
};

}  // namespace

Beliefs imagine_beliefs(const Problem& base, const Imagination& imagination, const Plan& course,
                        const OutlookOptions& options) {
  const Questions questions(base, course, options);
  const std::vector<Imagined> answers = imagination.imagine(course, questions.all(), options.ways);
  return {questions.learning(answers), questions.jumps(answers)};
}

Problem ImaginedOutlook::after(const Plan& course) {
  Beliefs beliefs = imagine_beliefs(base_, imagination_, course, options_);
  for (std::size_t i = 0; i < imagined_.size(); ++i) {
    const Training& kept = base_.placements()[i];
    if (!imagined_[i]) beliefs.learning[i] = {kept.rule, kept.noise};
  }
  return base_.with_views(beliefs.learning, beliefs.jumps).starting_at(course.end());
}

}  // namespace espalier
