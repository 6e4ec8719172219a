// SPDX-License-Identifier: Apache-2.0
#include "fakes/played_runs.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "render/names.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

constexpr int kNodesEach = 3;

PlaceName place_of(const Scenario& scenario, const Problem& problem, PlacementId placement) {
  const auto names = names_of(scenario, problem.training(placement).at);
  return {names.model, names.nodes, names.data.value_or(""), names.level.value_or("")};
}

std::string spoken(const PlaceName& place) { return place.model + " on " + place.nodes; }

std::vector<WatchedNode> nodes_of(const Play& play) {
  std::vector<WatchedNode> nodes;
  for (const NodeSetSpec& set : play.scenario.node_sets) {
    for (int i = 1; i <= kNodesEach; ++i)
      nodes.push_back({fmt::format("{}-{}", set.name, i), set.name});
  }
  if (!play.extra_node.empty())
    nodes.push_back({play.extra_node, play.scenario.node_sets.back().name});
  return nodes;
}

RunHead head_of(const Play& play) {
  RunHead head{play.name, play.scenario.name, "exact", "are made up", {}, {}, {}, {}, {}};
  head.goal = {play.scenario.goal.loss, play.scenario.goal.deadline,
               play.scenario.goal.probability};
  head.start_loss = play.scenario.start.loss;
  for (const ModelSpec& model : play.scenario.models) head.models.push_back(model.name);
  for (const NodeSetSpec& set : play.scenario.node_sets) head.node_sets.push_back(set.name);
  head.nodes = nodes_of(play);
  return head;
}

class Rehearsal {
 public:
  explicit Rehearsal(const Play& play)
      : play_(play),
        problem_(Problem::estimated(play.scenario)),
        planner_(strategy_named("exact").planner(problem_, {})),
        now_(problem_.start()),
        random_(play.seed) {}

  std::vector<RunNews> perform() {
    for (const WatchedNode& node : nodes_of(play_)) node_says(node.name, node.nodes);
    while (!is_over()) {
      if (now_.epoch % play_.plan_every == 0 || next_ >= steps_.size()) plan();
      if (next_ >= steps_.size()) break;
      train();
      lose_node();
    }
    end();
    return std::move(news_);
  }

 private:
  bool is_over() const {
    const bool is_half = play_.outcome == RunOutcome::Stopped && now_.epoch >= 30;
    return problem_.goal().reached(now_.loss, now_.time) || now_.epoch >= play_.most_epochs ||
           is_half;
  }

  void tell(NewsContent what) {
    news_.push_back({static_cast<std::int64_t>(news_.size()) + 1, now_.time, std::move(what)});
  }

  void node_says(const std::string& name, const std::string& set,
                 WatchedState state = WatchedState::Online) {
    NodeNews node{.name = name, .nodes = set, .state = state, .last_seen = now_.time};
    node.energy = now_.energy * (1.0 / kNodesEach);
    node.energy_source = "modelled: as the scenario says";
    node.bytes = 1'250'000LL * now_.epoch;
    node.samples = 2000;
    if (now_.epoch > 0) node.epoch_time = problem_.training(now_.placement).time;
    tell(node);
  }

  std::vector<ForeseenStep> course() const {
    const Plan expected = follow_to_end(problem_, Estimator::Expected, now_, steps_);
    const Plan robust = follow_to_end(problem_, Estimator::Robust, now_, steps_);
    std::vector<ForeseenStep> all;
    for (std::size_t i = 0; i < expected.steps.size(); ++i) {
      const State after = expected.after(i + 1);
      const bool has_both = i < robust.steps.size();
      all.push_back({after.epoch, place_of(play_.scenario, problem_, after.placement), after.time,
                     after.energy, after.loss, has_both ? robust.after(i + 1).loss : after.loss});
    }
    return thinned(all, kMostForeseen);
  }

  void plan() {
    const PlanResult result = planner_->plan(now_, {});
    std::vector<PlacementId> steps;
    if (result.plan) {
      for (const Step& step : result.plan->steps) steps.push_back(step.placement);
    }
    const bool changed =
        steps_.empty() || next_ >= steps_.size() || steps.empty() ||
        steps.front() != steps_[next_] ||
        std::abs(static_cast<int>(steps.size()) - static_cast<int>(steps_.size() - next_)) > 2;
    PlanNews news{.epoch = now_.epoch, .verdict = result.verdict, .changed = changed};
    steps_ = std::move(steps);
    next_ = 0;
    news.course = course();
    news.chance = Chance{0.93, {0.91, 0.95}, 1000, {}};
    if (changed)
      news.sentence = fmt::format(
          "The loss is {:.3f}: {} more epochs, and the goal costs {:.3g} J.", now_.loss.value,
          steps_.size(), result.plan ? result.plan->end().energy.value : 0.0);
    tell(std::move(news));
  }

  void train() {
    const State before = now_;
    const PlacementId to = steps_[next_++];
    const auto after = advance(problem_, Estimator::Expected, before, to);
    if (!after) return;
    const double noise = std::exp(play_.luck * std::normal_distribution<double>()(random_) -
                                  play_.luck * play_.luck / 2);
    const auto change = problem_.change(before.placement, to);
    const double arrived = change->jump.expected.apply(before.loss.value);
    now_ = *after;
    now_.loss = Loss{std::max(1e-3, arrived - (arrived - after->loss.value) * noise)};
    EpochNews news{.epoch = now_.epoch,
                   .place = place_of(play_.scenario, problem_, to),
                   .loss = now_.loss,
                   .time = now_.time,
                   .energy = now_.energy,
                   .planned_loss = after->loss,
                   .planned_energy = after->energy,
                   .source = "the scenario",
                   .members = kNodesEach};
    if (before.placement != to && before.epoch > 0)
      news.reason =
          fmt::format("{} reaches the goal with less energy from here than {}", spoken(news.place),
                      spoken(place_of(play_.scenario, problem_, before.placement)));
    tell(news);
    if (now_.epoch % 5 == 0) {
      for (int i = 1; i <= kNodesEach; ++i) {
        const std::string name = fmt::format("{}-{}", news.place.nodes, i);
        if (name != play_.lost_node || now_.epoch < 6) node_says(name, news.place.nodes);
      }
    }
  }

  void lose_node() {
    if (play_.lost_node.empty() || (now_.epoch != 6 && now_.epoch != 8)) return;
    const std::string set = play_.lost_node.substr(0, play_.lost_node.rfind('-'));
    const bool is_lost = now_.epoch == 8;
    node_says(play_.lost_node, set, is_lost ? WatchedState::Lost : WatchedState::Silent);
    tell(RemarkNews{play_.lost_node + (is_lost ? " is lost; the others go on" : " is silent")});
  }

  void end() {
    const bool reached = problem_.goal().reached(now_.loss, now_.time);
    const RunOutcome outcome = reached ? RunOutcome::Reached : play_.outcome;
    tell(EndNews{outcome,
                 fmt::format("{} after {} epochs: loss {:.3f}, {:.3g} s, {:.3g} J.",
                             reached ? "Goal reached" : "Stopped", now_.epoch, now_.loss.value,
                             now_.time.value, now_.energy.value),
                 !reached});
  }

  const Play& play_;
  Problem problem_;
  std::unique_ptr<Planner> planner_;
  State now_;
  std::mt19937_64 random_;
  std::vector<PlacementId> steps_;
  std::size_t next_ = 0;
  std::vector<RunNews> news_;
};

class PlayedFeed final : public RunFeed {
 public:
  PlayedFeed(const RunHead& head, const std::vector<RunNews>& news,
             std::chrono::steady_clock::time_point begin, std::chrono::milliseconds pace)
      : head_(head), news_(news), begin_(begin), pace_(pace) {}

  RunHead head() override { return head_; }

  std::vector<RunNews> after(std::int64_t id) override {
    std::size_t due = news_.size();
    if (pace_.count() > 0) {
      const auto played = (std::chrono::steady_clock::now() - begin_) / pace_;
      due = std::min(due, static_cast<std::size_t>(played));
    }
    const std::size_t from = std::min(due, static_cast<std::size_t>(id));
    return {news_.begin() + static_cast<std::ptrdiff_t>(from),
            news_.begin() + static_cast<std::ptrdiff_t>(due)};
  }

 private:
  const RunHead& head_;
  const std::vector<RunNews>& news_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::milliseconds pace_;
};

}  // namespace

std::vector<RunNews> rehearse(const Play& play) { return Rehearsal(play).perform(); }

void PlayedRuns::add(const Play& play) { parts_[play.name] = {head_of(play), rehearse(play)}; }

std::vector<std::string> PlayedRuns::names() {
  std::vector<std::string> all;
  for (const auto& [name, part] : parts_) all.push_back(name);
  return all;
}

std::unique_ptr<RunFeed> PlayedRuns::open(const std::string& name) {
  const auto part = parts_.find(name);
  if (part == parts_.end()) return nullptr;
  return std::make_unique<PlayedFeed>(part->second.head, part->second.news, begin_, pace_);
}

}  // namespace espalier
