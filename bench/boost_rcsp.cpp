// SPDX-License-Identifier: Apache-2.0
// Labels leave the queue in order of energy, so the first one at Ω is the optimum. On the arc to Ω
// time and loss are cleared: there, only energy counts, and dominance keeps the cheapest label
// alone.
#include "boost_rcsp.h"

#include <algorithm>
#include <chrono>
#include <compare>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/r_c_shortest_paths.hpp>

#include "core/plan.h"

namespace espalier::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Vertex {
  int num = 0;
};
struct Arc {
  int num = 0;
  PlacementId from{};
  PlacementId to{};
  bool ends = false;  // leads to Ω
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Arc>;

struct Resources {
  double energy = 0;
  double time = 0;
  double loss = 0;
  int epoch = 0;

  friend bool operator==(const Resources& a, const Resources& b) {
    return a.energy == b.energy && a.time == b.time && a.loss == b.loss;
  }
  friend bool operator<(const Resources& a, const Resources& b) {
    if (a.energy != b.energy) return a.energy < b.energy;
    return a.time != b.time ? a.time < b.time : a.loss < b.loss;
  }
};

struct Dominance {
  bool operator()(const Resources& a, const Resources& b) const {
    return a.energy <= b.energy && a.time <= b.time && a.loss <= b.loss;
  }
};

class Extension {
 public:
  Extension(const Problem& problem, Estimator estimator)
      : problem_(&problem), estimator_(estimator) {}

  bool operator()(const Graph& graph, Resources& after, const Resources& before,
                  boost::graph_traits<Graph>::edge_descriptor e) const {
    const Arc& arc = graph[e];
    const bool is_goal = problem_->goal().reached(Loss{before.loss}, Seconds{before.time});
    if (arc.ends || is_goal) {
      after = {before.energy, 0, 0, 0};
      return arc.ends && is_goal;
    }
    const State from{arc.from, before.epoch, Loss{before.loss}, Seconds{before.time},
                     Joules{before.energy}};
    const auto next = advance(*problem_, estimator_, from, arc.to);
    if (!next || next->time > problem_->goal().time_bound()) return false;
    after = {next->energy.value, next->time.value, next->loss.value, next->epoch};
    return true;
  }

 private:
  const Problem* problem_;
  Estimator estimator_;
};

// What the visitor, which Boost copies, leaves behind.
struct Progress {
  Clock::time_point deadline;
  std::int64_t labels = 0;
  bool stopped = false;
};

class TimeLimit : public boost::default_r_c_shortest_paths_visitor {
 public:
  explicit TimeLimit(Progress& progress) : progress_(&progress) {}

  template <class Queue, class G>
  bool on_enter_loop(const Queue&, const G&) {
    progress_->stopped = Clock::now() > progress_->deadline;
    return !progress_->stopped;
  }
  template <class Label, class G>
  void on_label_feasible(const Label&, const G&) {
    ++progress_->labels;
  }

 private:
  Progress* progress_;
};

// More epochs than these fit no plan.
int most_epochs(const Problem& problem) {
  double least = problem.goal().time_bound().value;
  for (const Training& t : problem.placements()) {
    if (t.possible) least = std::min(least, t.time.value);
  }
  return static_cast<int>(problem.goal().time_bound().value / least) + 1;
}

class PlacementGraph {
 public:
  explicit PlacementGraph(const Problem& problem)
      : problem_(problem),
        layers_(problem.last_special_epoch() > 0 ? most_epochs(problem) + 1 : 1),
        graph_(problem.size() * static_cast<std::size_t>(layers_) + 1) {
    for (std::size_t v = 0; v <= omega(); ++v) graph_[v].num = static_cast<int>(v);
    for (std::size_t v = 0; v < omega(); ++v) add_arcs(v);
  }

  const Graph& graph() const { return graph_; }
  std::size_t omega() const { return num_vertices(graph_) - 1; }

 private:
  void add_arcs(std::size_t v) {
    const PlacementId from{static_cast<std::int32_t>(v % problem_.size())};
    add(v, omega(), {.from = from, .ends = true});
    const std::size_t next = layers_ == 1 ? 0 : v / problem_.size() + 1;
    if (next == static_cast<std::size_t>(layers_)) return;
    for (std::size_t p = 0; p < problem_.size(); ++p) {
      const PlacementId to{static_cast<std::int32_t>(p)};
      if (!problem_.training(to).possible || !problem_.change(from, to)) continue;
      add(v, next * problem_.size() + p, {.from = from, .to = to});
    }
  }

  void add(std::size_t from, std::size_t to, Arc arc) {
    arc.num = arcs_++;
    add_edge(from, to, arc, graph_);
  }

  const Problem& problem_;
  const int layers_;
  int arcs_ = 0;
  Graph graph_;
};

}  // namespace

Solution solve_with_boost(const Problem& problem, Estimator estimator, Seconds limit) {
  const auto budget =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit.value));
  Progress progress{.deadline = Clock::now() + budget};
  const PlacementGraph placements(problem);
  const Graph& graph = placements.graph();
  std::vector<boost::graph_traits<Graph>::edge_descriptor> path;
  Resources end;
  const Resources start{0, problem.start().time.value, problem.start().loss.value,
                        problem.start().epoch};
  boost::r_c_shortest_paths(graph, get(&Vertex::num, graph), get(&Arc::num, graph),
                            problem.start().placement.pos(), placements.omega(), path, end, start,
                            Extension(problem, estimator), Dominance(),
                            boost::default_r_c_shortest_paths_allocator(), TimeLimit(progress));
  Solution solution;
  solution.size = progress.labels;
  solution.outcome = progress.stopped ? Outcome::Limit
                     : path.empty()   ? Outcome::Infeasible
                                      : Outcome::Optimal;
  if (solution.outcome != Outcome::Optimal) return solution;
  solution.energy = Joules{end.energy};
  std::ranges::reverse(path);
  for (const auto& e : path) {
    if (!graph[e].ends) solution.placements.push_back(graph[e].to);
  }
  return solution;
}

}  // namespace espalier::bench
