// SPDX-License-Identifier: Apache-2.0
#include "outlook/fitted_imagination.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "estimation/ways.h"

namespace espalier {
namespace {

const NodeDataSpec* data_of(const Scenario& scenario, NodeSetId nodes) {
  if (!scenario.training) return nullptr;
  for (const NodeDataSpec& row : scenario.training->nodes) {
    if (row.nodes == nodes) return &row;
  }
  return nullptr;
}

Pruning pruning_of(const History& history, const Conditions& to, bool is_handed_over) {
  Pruning pruning{.from = history.now.prune,
                  .to = to.prune,
                  .is_handed_over = is_handed_over,
                  .samples_before = history.now.samples,
                  .samples_after = to.samples};
  const auto& losses = history.losses;
  for (std::size_t i = 0; i < kLossesBefore; ++i) {
    const std::size_t back = kLossesBefore - 1 - i;
    pruning.before[i] = losses[losses.size() - 1 - std::min(back, losses.size() - 1)];
  }
  return pruning;
}

void begin_stage(History& history, const Conditions& now, double loss) {
  history.losses.push_back(loss);
  history.stage = history.losses.size() - 1;
  history.now = now;
}

bool is_hand_over(const Problem& problem, PlacementId from, PlacementId to) {
  return problem.training(from).at.nodes != problem.training(to).at.nodes;
}

// What the problem says of a change, from a loss on.
LossRange jumped(const Problem& problem, PlacementId from, PlacementId to, double loss) {
  const auto change = problem.change(from, to);
  if (!change) return {loss, loss, loss};
  const double mean = change->jump.expected.apply(loss);
  return {mean, mean, std::max(mean, change->jump.robust.apply(loss))};
}

// Itineraries that are followed side by side, leg by leg. Owned by one thread.
class Followed {
 public:
  Followed(const LearningForecaster& forecaster, std::span<const Conditions> conditions,
           const Problem& problem, std::span<const Itinerary> itineraries)
      : forecaster_(forecaster),
        conditions_(conditions),
        problem_(problem),
        itineraries_(itineraries) {}

  std::vector<Imagined> follow(PlacementId from, const History& history,
                               const RunCorrection& correction) {
    places_.assign(itineraries_.size(), from);
    stage_ = history.stage;
    histories_.assign(itineraries_.size(), history);
    imagined_.assign(itineraries_.size(), {});
    std::size_t legs = 0;
    for (const Itinerary& one : itineraries_) legs = std::max(legs, one.size());
    for (std::size_t leg = 0; leg < legs; ++leg) {
      arrive(leg);
      train(leg, correction);
    }
    return std::move(imagined_);
  }

 private:
  const Leg* leg_of(std::size_t i, std::size_t leg) const {
    return leg < itineraries_[i].size() ? &itineraries_[i][leg] : nullptr;
  }

  // Changes of the network are forecast; data alone leaves the loss as it is.
  void arrive(std::size_t leg) {
    std::vector<std::size_t> who;
    std::vector<Pruning> prunings;
    for (std::size_t i = 0; i < itineraries_.size(); ++i) {
      const Leg* next = leg_of(i, leg);
      if (next == nullptr) continue;
      History& history = histories_[i];
      const Conditions& to = conditions_[next->at.pos()];
      imagined_[i] = {.arrival = jumped(problem_, places_[i], next->at, history.losses.back())};
      const bool is_handed_over = is_hand_over(problem_, places_[i], next->at);
      places_[i] = next->at;
      if (to.prune != history.now.prune && forecaster_.knows_changes()) {
        who.push_back(i);
        prunings.push_back(pruning_of(history, to, is_handed_over));
      } else if (to != history.now) {
        begin_stage(history, to, imagined_[i].arrival.mean);
      }
    }
    const std::vector<LossRange> after =
        prunings.empty() ? std::vector<LossRange>{} : forecaster_.after(prunings);
    for (std::size_t i = 0; i < who.size(); ++i) {
      imagined_[who[i]].arrival = after[i];
      const Conditions& to = conditions_[leg_of(who[i], leg)->at.pos()];
      begin_stage(histories_[who[i]], to, after[i].mean);
    }
  }

  // Those with many epochs to go must not make those with few wait: the most is asked only of them.
  void train(std::size_t leg, const RunCorrection& correction) {
    std::vector<std::size_t> who;
    for (std::size_t i = 0; i < itineraries_.size(); ++i) {
      if (const Leg* next = leg_of(i, leg); next != nullptr && next->epochs > 0) who.push_back(i);
    }
    // What a stage taught holds for that stage alone.
    const auto is_new = [&](std::size_t i) { return histories_[i].stage != stage_; };
    const auto key = [&](std::size_t i) { return std::pair(is_new(i), leg_of(i, leg)->epochs); };
    std::ranges::stable_sort(who, {}, key);
    for (std::size_t begin = 0; begin < who.size();) {
      std::size_t end = begin;
      while (end < who.size() && key(who[end]) == key(who[begin])) ++end;
      const auto [is_other, epochs] = key(who[begin]);
      train_alike(std::span(who).subspan(begin, end - begin), epochs,
                  is_other ? RunCorrection{} : correction);
      begin = end;
    }
  }

  void train_alike(std::span<const std::size_t> who, int epochs, const RunCorrection& correction) {
    std::vector<History> asked;
    for (const std::size_t i : who) asked.push_back(histories_[i]);
    auto ahead = forecaster_.ahead(asked, static_cast<std::size_t>(epochs), correction);
    for (std::size_t j = 0; j < who.size(); ++j) {
      for (const LossRange& range : ahead[j]) histories_[who[j]].losses.push_back(range.mean);
      imagined_[who[j]].losses = std::move(ahead[j]);
    }
  }

  const LearningForecaster& forecaster_;
  std::span<const Conditions> conditions_;
  const Problem& problem_;
  std::span<const Itinerary> itineraries_;
  std::size_t stage_ = 0;  // the one that is corrected
  std::vector<PlacementId> places_;
  std::vector<History> histories_;
  std::vector<Imagined> imagined_;
};

}  // namespace

std::vector<Conditions> conditions_of(const Scenario& scenario, const Problem& problem) {
  std::vector<Conditions> all;
  for (const Training& training : problem.placements()) {
    const NodeDataSpec* data = data_of(scenario, training.at.nodes);
    if (data == nullptr) {
      const std::string& name = scenario.node_sets[training.at.nodes.pos()].name;
      throw Error(ErrorCode::BadInput,
                  "estimates need to know how many samples and classes '" + name + "' has",
                  "training: {nodes: {" + name + ": {samples: 5000, classes: 10}}}");
    }
    const double prune = scenario.models[training.at.model.pos()].prune;
    all.push_back({prune, data->samples, data->classes});
  }
  return all;
}

// An arrival that nobody looked at is guessed.
double FittedImagination::arrival_at(const Step& step, PlacementId from,
                                     const History& history) const {
  if (step.arrival) return step.arrival->value;
  const Conditions& now = conditions_[step.placement.pos()];
  if (now.prune == history.now.prune || !forecaster_.knows_changes()) {
    return jumped(problem_, from, step.placement, history.losses.back()).mean;
  }
  const Pruning pruning = pruning_of(history, now, is_hand_over(problem_, from, step.placement));
  return forecaster_.after(std::span(&pruning, 1)).front().mean;
}

History FittedImagination::history_of(const Plan& course) const {
  return histories_of(course).back();
}

// Where it began, then after each step.
std::vector<History> FittedImagination::histories_of(const Plan& course) const {
  History history{{course.start.loss.value}, conditions_[course.start.placement.pos()], 0};
  std::vector<History> all{history};
  PlacementId at = course.start.placement;
  for (const Step& step : course.steps) {
    const Conditions& now = conditions_[step.placement.pos()];
    if (now != history.now) begin_stage(history, now, arrival_at(step, at, history));
    at = step.placement;
    history.losses.push_back(step.loss.value);
    all.push_back(history);
  }
  return all;
}

RunCorrection FittedImagination::correction_of(const Plan& course) const {
  const std::vector<History> histories = histories_of(course);
  const std::size_t end = histories.size() - 1;
  std::vector<RunExample> examples;
  for (std::size_t i = end - std::min(end, kMostRecalled); i < end; ++i) {
    if (histories[i].stage != histories[end].stage) continue;
    RunExample example{histories[i], {}};
    for (std::size_t next = i + 1; next <= end && example.next.size() < kEpochsAhead; ++next)
      example.next.push_back(histories[next].losses.back());
    if (!example.next.empty()) examples.push_back(std::move(example));
  }
  return forecaster_.correction(examples);
}

std::vector<Imagined> FittedImagination::imagine(const Plan& course,
                                                 std::span<const Itinerary> itineraries,
                                                 std::size_t ways) const {
  Followed followed(forecaster_, conditions_, problem_, itineraries);
  std::vector<Imagined> imagined =
      followed.follow(course.end().placement, history_of(course), correction_of(course));
  for (Imagined& one : imagined) {
    one.ways = ways_ahead(one.losses, one.arrival.mean,
                          {.count = ways, .fading = forecaster_.tuning().fading});
  }
  return imagined;
}

}  // namespace espalier
