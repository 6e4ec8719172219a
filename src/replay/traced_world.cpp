// SPDX-License-Identifier: Apache-2.0
#include "replay/traced_world.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "core/error.h"
#include "core/plan.h"
#include "io/wording.h"

namespace espalier {
namespace {

PlacementId placement_id(std::size_t i) { return {static_cast<std::int32_t>(i)}; }

Placement without_choices(const Placement& at) { return {at.model, at.nodes, {}, {}}; }

// One placement for each model on each node set.
std::vector<PlacementId> distinct_placements(const Problem& problem) {
  std::set<Placement> seen;
  std::vector<PlacementId> distinct;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (seen.insert(without_choices(problem.training(placement_id(i)).at)).second)
      distinct.push_back(placement_id(i));
  }
  return distinct;
}

// Where else a scenario lets a run go from `at`.
std::vector<PlacementId> destinations_of(const Problem& problem, PlacementId at) {
  std::vector<PlacementId> all = distinct_placements(problem);
  const Placement here = without_choices(problem.training(at).at);
  std::erase_if(all, [&](PlacementId to) {
    const Training& there = problem.training(to);
    return without_choices(there.at) == here || !there.possible || !problem.change(at, to);
  });
  return all;
}

std::string name_of(const Problem& problem, const Placement& at) {
  for (const PlacementId p : distinct_placements(problem)) {
    if (without_choices(problem.training(p).at) == at) return shown(problem.name_of(p));
  }
  return {};
}

void refuse_data_options(const Problem& problem, const std::string& file) {
  for (std::size_t n = 0; n < problem.node_set_count(); ++n) {
    if (problem.data_option_count({static_cast<std::int32_t>(n)}) <= 1) continue;
    throw Error(ErrorCode::BadInput,
                file +
                    ": traces do not tell what a part of the data teaches, and the scenario "
                    "has data options",
                "remove the scenario's data section");
  }
}

}  // namespace

TracedWorld::TracedWorld(const Scenario& scenario, const Problem& problem,
                         const std::vector<TraceRow>& rows, const std::string& file)
    : tree_(rows, file) {
  refuse_data_options(problem, file);
  match(scenario);
  choose_seeds(problem, file);
  choose_moves(problem);
}

void TracedWorld::match(const Scenario& scenario) {
  for (const NodeSetSpec& nodes : scenario.node_sets) node_set_names_.push_back(nodes.name);
  for (const ModelSpec& model : scenario.models) {
    for (const std::string& nodes : node_set_names_)
      places_.push_back(tree_.place(nodes, model.prune));
  }
}

std::optional<TracedPlaceId> TracedWorld::place_of(const Placement& at) const {
  return places_[at.model.pos() * node_set_names_.size() + at.nodes.pos()];
}

// Those that know as many ways as any other: strategies are offered the same whatever the run.
void TracedWorld::choose_seeds(const Problem& problem, const std::string& file) {
  const auto start = place_of(problem.training(problem.start().placement).at);
  std::vector<std::vector<TracedPath>> known(tree_.seeds().size());
  for (std::size_t i = 0; start && i < known.size(); ++i) {
    const auto root = tree_.root(tree_.seeds()[i], *start);
    if (root) known[i] = tree_.paths_from(*root);
    if (known[i].size() > paths_.size()) paths_ = known[i];
  }
  if (paths_.empty()) refuse_start(problem, file);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (std::includes(known[i].begin(), known[i].end(), paths_.begin(), paths_.end())) {
      roots_.push_back(*tree_.root(tree_.seeds()[i], *start));
    } else {
      notes_.push_back(fmt::format("seed {} of the traces is left out: other seeds know more ways",
                                   tree_.seeds()[i]));
    }
  }
}

void TracedWorld::refuse_start(const Problem& problem, const std::string& file) const {
  const PlacementId start = problem.start().placement;
  const std::string& nodes = node_set_names_[problem.training(start).at.nodes.pos()];
  throw Error(ErrorCode::BadInput,
              fmt::format("{}: no run begins where the scenario does, with {}{}", file,
                          shown(problem.name_of(start)), tree_.did_you_mean_nodes(nodes)),
              "node sets are matched by name, models by their share of pruned channels; the traces "
              "know " +
                  tree_.places_listed());
}

// Follows all courses that the scenario permits, as far as they were traced. A change counts if it
// was traced after every one of them that could make it.
void TracedWorld::choose_moves(const Problem& problem) {
  const PlacementId start = problem.start().placement;
  std::set<Course> seen;
  std::deque<Course> open{{start, {*place_of(problem.training(start).at)}}};
  std::set<Move> untraced;
  while (!open.empty()) {
    const Course course = std::move(open.front());
    open.pop_front();
    for (const PlacementId to : destinations_of(problem, course.at)) {
      const Move move{without_choices(problem.training(course.at).at),
                      without_choices(problem.training(to).at)};
      auto next = extended(course, to, place_of(move.to));
      (next ? moves_ : untraced).insert(move);
      if (next && seen.insert(*next).second) open.push_back(std::move(*next));
    }
  }
  drop_moves(problem, untraced);
}

// Nothing if no traced course went on like that. To a model of the same ratio on the same nodes
// nothing changes that traces know of.
std::optional<TracedWorld::Course> TracedWorld::extended(
    Course course, PlacementId to, const std::optional<TracedPlaceId>& place) const {
  if (!place) return std::nullopt;
  course.at = to;
  if (*place == course.path.back()) return course;
  course.path.push_back(*place);
  const bool is_traced = std::binary_search(paths_.begin(), paths_.end(), course.path);
  return is_traced ? std::optional(std::move(course)) : std::nullopt;
}

void TracedWorld::drop_moves(const Problem& problem, const std::set<Move>& untraced) {
  for (const Move& move : untraced) {
    if (moves_.erase(move) == 0) continue;
    notes_.push_back(fmt::format("{} → {} is left out: it was traced after some courses only",
                                 name_of(problem, move.from), name_of(problem, move.to)));
  }
  if (moves_.empty() && !untraced.empty())
    notes_.emplace_back("none of the scenario's changes was traced");
}

Problem TracedWorld::within(const Problem& problem) const {
  return problem.only([this](const Placement& from, const Placement& to) {
    return moves_.contains({from, to});
  });
}

std::vector<int> TracedWorld::longest_stays(const Problem& problem) const {
  std::vector<int> longest(problem.size(), 0);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto place = place_of(problem.placements()[i].at);
    for (const TracedStage& stage : tree_.stages()) {
      if (stage.place == place) longest[i] = std::max(longest[i], stage.epochs());
    }
  }
  return longest;
}

bool TracedWorld::change(Replay& replay, const Placement& to) const {
  const auto place = place_of(to);
  if (!place) return false;
  if (*place == replay.place()) return true;
  if (!replay.can_change(*place)) return false;
  replay.change(*place);
  return true;
}

namespace {

class TraceReality final : public Reality {
 public:
  TraceReality(const TracedWorld& world, const Problem& problem, const Replay& replay)
      : world_(world), problem_(problem), replay_(replay) {}

  std::optional<State> advance(const State& from, PlacementId to) override {
    const Training& training = problem_.training(to);
    const auto change = problem_.change(from.placement, to);
    if (!change || !training.possible || !world_.change(replay_, training.at)) return std::nullopt;
    arrival_ = Loss{replay_.loss()};
    replay_.train();
    if (replay_.is_beyond()) ++beyond_;
    return state_after(problem_, from, to, *change, Loss{replay_.loss()});
  }

  std::optional<Loss> arrival() const override { return arrival_; }
  int unknown_epochs() const override { return beyond_; }

 private:
  const TracedWorld& world_;
  const Problem& problem_;
  Replay replay_;
  std::optional<Loss> arrival_;
  int beyond_ = 0;
};

}  // namespace

MakeReality reality_of(const TracedWorld& world, const Problem& problem) {
  return [&world, &problem](std::uint64_t, std::size_t run) {
    return std::make_unique<TraceReality>(world, problem, world.begin(run));
  };
}

}  // namespace espalier
