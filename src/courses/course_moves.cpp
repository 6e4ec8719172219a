// SPDX-License-Identifier: Apache-2.0
#include "courses/course_moves.h"

#include <algorithm>
#include <optional>

namespace espalier {
namespace {

constexpr int kShifts[] = {1, 2, 4, 8, 16};
// From one stretch to another: they may differ in speed.
struct Exchange {
  int less;
  int more;
};
constexpr Exchange kExchanges[] = {{1, 1}, {3, 3},  {2, 1}, {4, 1}, {8, 2}, {16, 4},
                                   {8, 4}, {16, 8}, {1, 2}, {1, 4}, {2, 8}, {4, 16}};
// Epochs of a stretch that is put in.
constexpr int kNewEpochs[] = {1, 4, 12};
// What remains of the last stretch when another follows it.
constexpr double kKeptShares[] = {0.5, 0.85};

class Moves {
 public:
  explicit Moves(const Course& course) : course_(course) {}

  void shift() {
    const std::size_t inner = course_.size() - 1;
    for (std::size_t i = 0; i < inner; ++i) {
      for (const int shift : kShifts) {
        lengthen(i, shift);
        lengthen(i, -shift);
      }
      for (std::size_t j = 0; j < inner; ++j) {
        for (const Exchange& epochs : kExchanges) transfer(i, j, epochs);
      }
    }
  }

  void drop_and_exchange() {
    for (std::size_t i = 0; i < course_.size(); ++i) {
      Course without = course_;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      add(without);
      if (i + 1 == course_.size()) continue;
      Course exchanged = course_;
      std::swap(exchanged[i], exchanged[i + 1]);
      add(exchanged);
    }
  }

  void replace(PlacementId placement) {
    for (std::size_t i = 0; i < course_.size(); ++i) {
      Course replaced = course_;
      replaced[i].placement = placement;
      add(replaced);
    }
  }

  void put_in(PlacementId placement) {
    for (std::size_t i = 0; i < course_.size(); ++i) {
      for (const int epochs : kNewEpochs) {
        Course longer = course_;
        longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(i), {placement, epochs});
        add(longer);
        // As much less of what was there.
        if (i == 0 || course_[i - 1].epochs <= epochs) continue;
        longer[i - 1].epochs -= epochs;
        add(longer);
      }
    }
    for (const double share : kKeptShares) {
      Course longer = course_;
      longer.back().epochs = std::max(1, static_cast<int>(share * longer.back().epochs));
      longer.push_back({placement, 1});
      add(longer);
    }
  }

  std::vector<Course> take() {
    std::sort(moves_.begin(), moves_.end());
    moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
    return std::move(moves_);
  }

 private:
  void lengthen(std::size_t i, int epochs) {
    if (course_[i].epochs + epochs < 0) return;
    Course changed = course_;
    changed[i].epochs += epochs;
    add(changed);
  }

  void transfer(std::size_t from, std::size_t to, const Exchange& epochs) {
    if (from == to || course_[from].epochs < epochs.less) return;
    Course changed = course_;
    changed[from].epochs -= epochs.less;
    changed[to].epochs += epochs.more;
    add(changed);
  }

  void add(const Course& course) {
    Course tidy = tidied(course);
    if (!tidy.empty() && tidy != course_) moves_.push_back(std::move(tidy));
  }

  const Course& course_;
  std::vector<Course> moves_;
};

// The placement that differs from this one in its data only.
std::optional<PlacementId> with_data(const Problem& problem, PlacementId placement,
                                     DataOptionId data) {
  Placement wanted = problem.training(placement).at;
  wanted.data = data;
  const auto& all = problem.placements();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Training& t) { return t.at == wanted; });
  if (found == all.end()) return std::nullopt;
  return PlacementId{static_cast<std::int32_t>(found - all.begin())};
}

std::optional<Course> with_data(const Problem& problem, Course course, NodeSetId nodes,
                                DataOptionId data) {
  for (Stretch& stretch : course) {
    if (problem.training(stretch.placement).at.nodes != nodes) continue;
    const auto other = with_data(problem, stretch.placement, data);
    if (!other) return std::nullopt;
    stretch.placement = *other;
  }
  return course;
}

}  // namespace

std::vector<Course> other_data(const Problem& problem, const Course& course) {
  std::vector<Course> moves;
  for (std::size_t n = 0; n < problem.node_set_count(); ++n) {
    const NodeSetId nodes{static_cast<std::int32_t>(n)};
    for (std::size_t d = 0; d < problem.data_option_count(nodes); ++d) {
      const auto moved = with_data(problem, course, nodes, {static_cast<std::int32_t>(d)});
      if (moved && *moved != course) moves.push_back(*moved);
    }
  }
  return moves;
}

std::vector<Course> shifted_switches(const Course& course) {
  Moves moves(course);
  if (!course.empty()) moves.shift();
  return moves.take();
}

std::vector<Course> other_stretches(const Course& course, std::span<const PlacementId> placements) {
  Moves moves(course);
  if (course.empty()) return {};
  moves.drop_and_exchange();
  for (const PlacementId placement : placements) {
    moves.replace(placement);
    moves.put_in(placement);
  }
  return moves.take();
}

}  // namespace espalier
