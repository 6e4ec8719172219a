// SPDX-License-Identifier: Apache-2.0
// The graph that plans are paths in: what may follow what, at which cost.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/problem.h"

namespace espalier {

using NodeIndex = std::int32_t;
constexpr NodeIndex kNoNode = -1;

// One way on. Energy and time are those of the change and, if the target trains, of its epoch.
struct Arc {
  NodeIndex to = kNoNode;  // a site, see below
  double energy = 0;
  double time = 0;
  Jump jump;

  double cost(double energy_weight, double time_weight) const {
    return energy_weight * energy + time_weight * time;
  }
};

// Which placements may follow each other, beyond what the scenario allows. A plan is in one of
// `modes` modes and starts in mode 0; `next_mode` says in which mode it is after going from one
// placement to another, or -1 if it must not. Only a plan in the last mode may end, if
// `ends_in_last_mode`.
struct PlanShape {
  int modes = 1;
  std::function<int(int mode, const Placement& from, const Placement& to)> next_mode;
  bool is_free = false;  // next_mode forbids nothing
  bool ends_in_last_mode = false;
  std::optional<Placement> not_first;  // where the next epoch must not be

  static PlanShape any();
  static PlanShape at_most_switches(int count);
  // Plans whose next epoch is elsewhere.
  static PlanShape not_next_at(const Placement& placement);
  // Plans that train the model at least once.
  static PlanShape through(ModelId model);
};

// A node is a site in a layer. A site is a placement in a mode ("trains": arriving there runs one
// epoch), or a half-way house "model already changed, not yet handed over", through which the P²
// changes of a large problem become P·(M+N) arcs. Layers count epochs as long as the epoch number
// matters to a learning rule; the last layer stands for all later epochs. Immutable; refers to the
// problem.
class SearchGraph {
 public:
  SearchGraph(const Problem& problem, Estimator estimator, const PlanShape& shape);
  // Only with some of the placements, in ascending order.
  SearchGraph(const Problem& problem, Estimator estimator, const PlanShape& shape,
              std::vector<PlacementId> placements);

  struct Site {
    PlacementId placement{};
    bool trains = true;
    bool may_end = true;                 // a plan that has arrived here may be complete
    const LearningRule* rule = nullptr;  // null unless it trains
  };

  NodeIndex size() const { return sites() * layers_; }
  NodeIndex sites() const { return static_cast<NodeIndex>(sites_.size()); }
  int layers() const { return layers_; }
  // Plans may go everywhere the scenario allows.
  bool is_free() const { return shape_.is_free; }
  const Site& site(NodeIndex node) const {
    return sites_[static_cast<std::size_t>(node % sites())];
  }
  int layer(NodeIndex node) const { return node / sites(); }

  // Where a plan in mode 0 is after running epoch number `epoch` at `placement`.
  // REQUIRES: the graph has all placements.
  NodeIndex node_of(PlacementId placement, int epoch) const {
    return node_at(epoch < layers_ ? epoch - 1 : layers_ - 1, placement.index);
  }

  std::span<const Arc> arcs(NodeIndex node) const {
    return span_of(out_, out_begin_, node % sites());
  }
  // Index of the first of those among all arcs of the graph.
  std::size_t first_arc(NodeIndex node) const {
    return out_begin_[static_cast<std::size_t>(node % sites())];
  }
  std::size_t arc_count() const { return out_.size(); }
  // The node an arc leads to when taken from `node`.
  NodeIndex head(NodeIndex node, const Arc& arc) const {
    return sites_[static_cast<std::size_t>(arc.to)].trains
               ? node_at(next_layer(layer(node)), arc.to)
               : node_at(layer(node), arc.to);
  }

  struct InArc {
    NodeIndex from = kNoNode;  // a site
    std::uint32_t arc = 0;     // among all arcs of the graph
    Jump jump;                 // that of the arc, here for speed
  };
  std::span<const InArc> in_arcs(NodeIndex node) const {
    return span_of(in_, in_begin_, node % sites());
  }
  // Index of the first of those among all, and that of an arc.
  std::size_t first_in_arc(NodeIndex node) const {
    return in_begin_[static_cast<std::size_t>(node % sites())];
  }
  std::size_t in_index(std::size_t arc) const { return in_index_[arc]; }
  // The layers from which `node` is entered: at most two.
  struct Layers {
    int count = 0;
    int layer[2] = {0, 0};
  };
  Layers layers_before(NodeIndex node) const;

  const Arc& arc(std::size_t index) const { return out_[index]; }

  // The ways on from a state of the run, each leading to a node.
  std::vector<Arc> arcs_from(const State& state) const;

  // The loss at `node` after arriving with `loss` (the jump already made).
  double arrive(NodeIndex node, double loss) const {
    const Site& s = site(node);
    return s.trains ? s.rule->next(layer(node) + 1, loss) : loss;
  }
  // The largest loss to arrive with so that arrive() is at most `loss`.
  double largest_arrival(NodeIndex node, double loss) const {
    const Site& s = site(node);
    return s.trains ? s.rule->largest_before(layer(node) + 1, loss, problem_->ceiling()) : loss;
  }
  double ceiling() const { return problem_->ceiling(); }
  const Problem& problem() const { return *problem_; }
  Estimator estimator() const { return estimator_; }

 private:
  template <class T>
  static std::span<const T> span_of(const std::vector<T>& all,
                                    const std::vector<std::uint32_t>& begin, NodeIndex site) {
    const auto s = static_cast<std::size_t>(site);
    return {all.data() + begin[s], all.data() + begin[s + 1]};
  }
  NodeIndex node_at(int layer, NodeIndex site) const {
    return static_cast<NodeIndex>(layer) * sites() + site;
  }
  int next_layer(int layer) const { return layer + 1 < layers_ ? layer + 1 : layers_ - 1; }

  void add_direct_arcs();
  void add_half_way_arcs();
  void link_back();

  const Problem* problem_;
  Estimator estimator_;
  int layers_;
  PlanShape shape_;
  std::vector<PlacementId> placements_;
  std::vector<Site> sites_;
  std::vector<Arc> out_;
  std::vector<std::uint32_t> out_begin_;
  std::vector<InArc> in_;
  std::vector<std::uint32_t> in_begin_;
  std::vector<std::uint32_t> in_index_;
};

}  // namespace espalier
