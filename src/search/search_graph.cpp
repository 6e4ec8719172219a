// SPDX-License-Identifier: Apache-2.0
#include "search/search_graph.h"

#include <algorithm>

namespace espalier {
namespace {

// Below this many placements the P² arcs are cheaper than the detour through half-way houses.
constexpr std::size_t kDirectArcsUpTo = 32;

std::vector<PlacementId> all_placements(const Problem& problem) {
  std::vector<PlacementId> all;
  for (std::size_t i = 0; i < problem.size(); ++i) all.push_back({static_cast<std::int32_t>(i)});
  return all;
}

bool is_switch(const Placement& from, const Placement& to) {
  return from.model != to.model || from.nodes != to.nodes;
}

}  // namespace

PlanShape PlanShape::any() {
  return {1, [](int, const Placement&, const Placement&) { return 0; }, true, false, {}};
}

PlanShape PlanShape::at_most_switches(int count) {
  return {count + 1,
          [count](int mode, const Placement& from, const Placement& to) {
            const int next = mode + (is_switch(from, to) ? 1 : 0);
            return next <= count ? next : -1;
          },
          false,
          false,
          {}};
}

PlanShape PlanShape::not_next_at(const Placement& placement) {
  PlanShape shape = any();
  shape.not_first = placement;
  return shape;
}

PlanShape PlanShape::through(ModelId model) {
  return {2,
          [model](int mode, const Placement&, const Placement& to) {
            return to.model == model ? 1 : mode;
          },
          false,
          true,
          {}};
}

SearchGraph::SearchGraph(const Problem& problem, Estimator estimator, const PlanShape& shape)
    : SearchGraph(problem, estimator, shape, all_placements(problem)) {}

SearchGraph::SearchGraph(const Problem& problem, Estimator estimator, const PlanShape& shape,
                         std::vector<PlacementId> placements)
    : problem_(&problem),
      estimator_(estimator),
      layers_(problem.last_special_epoch() + 1),
      shape_(shape),
      placements_(std::move(placements)) {
  for (int mode = 0; mode < shape.modes; ++mode) {
    const bool may_end = !shape.ends_in_last_mode || mode + 1 == shape.modes;
    for (const PlacementId p : placements_)
      sites_.push_back({p, true, may_end, &problem.training(p).rule[estimator]});
  }
  const bool decomposes = shape.is_free && !problem.has_pair_overrides();
  if (decomposes && placements_.size() > kDirectArcsUpTo) {
    add_half_way_arcs();
  } else {
    add_direct_arcs();
  }
  link_back();
}

void SearchGraph::add_direct_arcs() {
  const std::size_t count = placements_.size();
  for (int mode = 0; mode < shape_.modes; ++mode) {
    for (const PlacementId from : placements_) {
      out_begin_.push_back(static_cast<std::uint32_t>(out_.size()));
      for (std::size_t to = 0; to < count; ++to) {
        const Training& target = problem_->training(placements_[to]);
        const auto change = problem_->change(from, placements_[to]);
        if (!change || !target.possible) continue;
        const int next = shape_.next_mode(mode, problem_->training(from).at, target.at);
        if (next < 0) continue;
        out_.push_back({static_cast<NodeIndex>(static_cast<std::size_t>(next) * count + to),
                        change->energy.value + target.energy.value,
                        change->time.value + target.time.value, change->jump[estimator_]});
      }
    }
  }
  out_begin_.push_back(static_cast<std::uint32_t>(out_.size()));
}

void SearchGraph::add_half_way_arcs() {
  const std::size_t count = placements_.size();
  const std::size_t models = problem_->model_count();
  const std::size_t sets = problem_->node_set_count();
  const auto house = [&](std::size_t model, std::size_t nodes) {
    return static_cast<NodeIndex>(count + model * sets + nodes);
  };
  for (std::size_t i = 0; i < models * sets; ++i)
    sites_.push_back({PlacementId{}, false, false, nullptr});
  for (const PlacementId from : placements_) {
    out_begin_.push_back(static_cast<std::uint32_t>(out_.size()));
    const Placement& at = problem_->training(from).at;
    for (std::size_t n = 0; n < sets; ++n) {
      const auto& part = problem_->node_change(at.nodes, {static_cast<std::int32_t>(n)});
      if (part)
        out_.push_back({house(at.model.pos(), n), part->energy.value, part->time.value, Jump{}});
    }
  }
  std::vector<std::vector<std::size_t>> on_nodes(sets);
  for (std::size_t p = 0; p < count; ++p)
    on_nodes[problem_->training(placements_[p]).at.nodes.pos()].push_back(p);
  for (std::size_t m = 0; m < models; ++m) {
    for (std::size_t n = 0; n < sets; ++n) {
      out_begin_.push_back(static_cast<std::uint32_t>(out_.size()));
      for (const std::size_t to : on_nodes[n]) {
        const Training& target = problem_->training(placements_[to]);
        const auto& part = problem_->model_change({static_cast<std::int32_t>(m)}, target.at.model);
        if (!part || !target.possible) continue;
        out_.push_back({static_cast<NodeIndex>(to), part->energy.value + target.energy.value,
                        part->time.value + target.time.value, part->jump[estimator_]});
      }
    }
  }
  out_begin_.push_back(static_cast<std::uint32_t>(out_.size()));
}

void SearchGraph::link_back() {
  std::vector<std::uint32_t> degree(sites_.size() + 1, 0);
  for (const Arc& arc : out_) ++degree[static_cast<std::size_t>(arc.to) + 1];
  for (std::size_t i = 1; i < degree.size(); ++i) degree[i] += degree[i - 1];
  in_begin_ = degree;
  in_.resize(out_.size());
  in_index_.resize(out_.size());
  for (std::size_t site = 0; site < sites_.size(); ++site) {
    for (std::uint32_t a = out_begin_[site]; a < out_begin_[site + 1]; ++a) {
      in_index_[a] = degree[static_cast<std::size_t>(out_[a].to)]++;
      in_[in_index_[a]] = {static_cast<NodeIndex>(site), a, out_[a].jump};
    }
  }
}

SearchGraph::Layers SearchGraph::layers_before(NodeIndex node) const {
  const int here = layer(node);
  if (!site(node).trains) return {1, {here, 0}};
  const bool is_last = here + 1 == layers_;
  if (here == 0) return is_last ? Layers{1, {0, 0}} : Layers{};
  return is_last ? Layers{2, {here - 1, here}} : Layers{1, {here - 1, 0}};
}

std::vector<Arc> SearchGraph::arcs_from(const State& state) const {
  std::vector<Arc> arcs;
  const int layer = std::min(state.epoch, layers_ - 1);
  for (std::size_t to = 0; to < placements_.size(); ++to) {
    const Training& target = problem_->training(placements_[to]);
    const auto change = problem_->change(state.placement, placements_[to]);
    if (!change || !target.possible || target.at == shape_.not_first) continue;
    const int mode = shape_.next_mode(0, problem_->training(state.placement).at, target.at);
    if (mode < 0) continue;
    const auto site =
        static_cast<NodeIndex>(static_cast<std::size_t>(mode) * placements_.size() + to);
    arcs.push_back({node_at(layer, site), change->energy.value + target.energy.value,
                    change->time.value + target.time.value, change->jump[estimator_]});
  }
  return arcs;
}

}  // namespace espalier
