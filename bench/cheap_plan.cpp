// SPDX-License-Identifier: Apache-2.0
// Best-first labels (cost, loss) per placement. Taken in order of cost, a label is of use only if
// its loss is below that of every earlier label at the same place.
#include "cheap_plan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <set>

namespace espalier::bench {
namespace {

constexpr std::size_t kBestPerLoss = 4;
// So few placements are all looked at.
constexpr std::size_t kFew = 25;
// A label must beat the earlier ones by this share of the loss.
constexpr double kTolerance = 1e-3;

double cost_of(ScalarCost cost, Seconds time, Joules energy) {
  return cost == ScalarCost::Time ? time.value : energy.value;
}

// An epoch and a loss at which placements are compared.
struct Sample {
  int epoch = 1;
  double loss = 0;
};

std::vector<Sample> samples_of(const Problem& problem) {
  const double start = problem.start().loss.value;
  const double goal = problem.goal().loss.value;
  const int last = std::max(1, problem.last_special_epoch());
  std::vector<Sample> samples;
  for (const double share : {0.0, 0.5, 0.8, 0.99}) {
    samples.push_back({1 + static_cast<int>(share * last / 2), start + share * (goal - start)});
  }
  return samples;
}

class Search {
 public:
  Search(const Problem& problem, Estimator estimator, ScalarCost cost)
      : problem_(problem),
        estimator_(estimator),
        cost_(cost),
        layers_(problem.last_special_epoch() + 1) {
    choose_candidates();
    least_loss_.assign(problem.size() * static_cast<std::size_t>(layers_),
                       std::numeric_limits<double>::infinity());
  }

  std::optional<Plan> run() {
    push({problem_.start(), -1});
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      queue_.pop();
      const Label label = labels_[static_cast<std::size_t>(top.label)];
      if (label.state.loss <= problem_.goal().loss_bound()) return plan_to(top.label);
      if (settle(label.state)) extend(label.state, top.label);
    }
    return std::nullopt;
  }

 private:
  struct Label {
    State state;
    int parent = -1;
  };
  struct Entry {
    double cost = 0;
    int label = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void choose_candidates() {
    std::set<PlacementId> chosen;
    for (const Sample& sample : samples_of(problem_)) {
      const auto best = most_learning_per_cost(sample);
      chosen.insert(best.begin(), best.end());
    }
    candidates_.assign(chosen.begin(), chosen.end());
  }

  std::vector<PlacementId> most_learning_per_cost(const Sample& sample) const {
    std::vector<PlacementId> all;
    for (std::size_t p = 0; p < problem_.size(); ++p) all.push_back({static_cast<std::int32_t>(p)});
    std::erase_if(all, [&](PlacementId p) { return !problem_.training(p).possible; });
    const auto efficiency = [&](PlacementId p) {
      const Training& t = problem_.training(p);
      return (sample.loss - t.rule[estimator_].next(sample.epoch, sample.loss)) /
             cost_of(cost_, t.time, t.energy);
    };
    std::ranges::stable_sort(all, std::greater<>(), efficiency);
    if (all.size() > kFew) all.resize(kBestPerLoss);
    return all;
  }

  void push(const Label& label) {
    queue_.push(
        {cost_of(cost_, label.state.time, label.state.energy), static_cast<int>(labels_.size())});
    labels_.push_back(label);
  }

  bool settle(const State& state) {
    const auto layer = static_cast<std::size_t>(std::min(state.epoch, layers_ - 1));
    double& least = least_loss_[layer * problem_.size() + state.placement.pos()];
    if (state.loss.value > least * (1 - kTolerance)) return false;
    least = state.loss.value;
    return true;
  }

  void extend(const State& state, int parent) {
    for (const PlacementId p : candidates_) {
      const auto next = advance(problem_, estimator_, state, p);
      if (next) push({*next, parent});
    }
  }

  Plan plan_to(int label) const {
    Plan plan{problem_.start(), {}};
    for (; labels_[static_cast<std::size_t>(label)].parent >= 0;
         label = labels_[static_cast<std::size_t>(label)].parent) {
      const State& s = labels_[static_cast<std::size_t>(label)].state;
      plan.steps.push_back({s.placement, s.loss, s.time, s.energy});
    }
    std::ranges::reverse(plan.steps);
    return plan;
  }

  const Problem& problem_;
  const Estimator estimator_;
  const ScalarCost cost_;
  const int layers_;
  std::vector<PlacementId> candidates_;
  std::vector<Label> labels_;
  std::vector<double> least_loss_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

std::optional<Plan> cheap_plan(const Problem& problem, Estimator estimator, ScalarCost cost) {
  return Search(problem, estimator, cost).run();
}

}  // namespace espalier::bench
