// SPDX-License-Identifier: Apache-2.0
#include "search/stage_walker.h"

#include <algorithm>
#include <limits>

namespace espalier {

StageWalker::StageWalker(const SearchGraph& graph)
    : graph_(graph),
      target_(graph.problem().goal().loss_bound().value),
      before_goal_(graph.problem().size(), {{target_}, false}) {}

template <class Where>
bool StageWalker::Walk::may_pay(NodeIndex node, const Where& where, const StageLabel& label) const {
  const double least = bound.least_total(node, where, label.energy, label.time, findings.cut);
  if (least < findings.cut) return true;
  findings.met_cut |= least < std::numeric_limits<double>::infinity();
  return false;
}

void StageWalker::train(StageLabel label, std::int32_t index, const GridBundle& bound,
                        StageFindings& findings) {
  const Walk walk{bound, findings};
  const PlacementId placement = graph_.site(label.node).placement;
  const NodeIndex leaving = bound.map().leaving(placement);
  const NodeIndex passing = bound.map().passing(placement);
  const Training& training = graph_.problem().training(placement);
  label.parent = index;
  label.epochs = 0;
  while (walk.may_pay(passing, label.loss, label)) {
    const double before = label.loss;
    label.loss = graph_.arrive(label.node, before);
    ++label.epochs;
    if (label.loss <= target_) return;
    const LossGrid::Spot spot = bound.find(label.loss);
    if (walk.may_pay(leaving, spot, label)) leave(label, spot, walk);
    if (!(label.loss < before)) return;
    label.energy += training.energy.value;
    label.time += training.time.value;
  }
}

void StageWalker::leave(const StageLabel& label, const LossGrid::Spot& spot, const Walk& walk) {
  for (const Arc& arc : graph_.arcs(label.node)) {
    if (graph_.site(arc.to).trains) {
      if (arc.to != label.node) arrive(label, arc, walk.bound, walk.findings);
    } else {
      StageLabel half_way = label;
      half_way.energy += arc.energy;
      half_way.time += arc.time;
      if (walk.may_pay(arc.to, spot, half_way)) go_on({half_way, arc.to, spot}, walk);
    }
  }
}

// With the nodes changed: to other models only if one of them may pay.
void StageWalker::go_on(const HalfWay& from, const Walk& walk) {
  const NodeIndex switching = walk.bound.map().switching(from.node);
  const bool may_switch = walk.may_pay(switching, from.spot, from.label);
  const ModelId model = model_at(from.label.node);
  for (const Arc& arc : graph_.arcs(from.node)) {
    if (arc.to != from.label.node && (may_switch || model_at(arc.to) == model))
      arrive(from.label, arc, walk.bound, walk.findings);
  }
}

ModelId StageWalker::model_at(NodeIndex node) const {
  return graph_.problem().training(graph_.site(node).placement).at.model;
}

void StageWalker::arrive(const StageLabel& label, const Arc& arc, const GridBundle& bound,
                         StageFindings& findings) {
  StageLabel next = label;
  next.loss = arc.jump.apply(label.loss);
  if (next.loss > graph_.ceiling() && next.loss > label.loss) return;
  next.energy += arc.energy;
  next.time += arc.time;
  next.node = arc.to;
  stay_to_the_end(next, findings);
  const NodeIndex passing = bound.map().passing(graph_.site(arc.to).placement);
  if (Walk{bound, findings}.may_pay(passing, next.loss, next)) findings.arrivals.push_back(next);
}

// Notes the plan that ends here, if it is the best so far.
void StageWalker::stay_to_the_end(StageLabel label, StageFindings& findings) {
  const Training& training = graph_.problem().training(graph_.site(label.node).placement);
  const double time_left = graph_.problem().goal().time_bound().value - label.time;
  const double in_time = 1 + time_left / training.time.value;
  const double at_least = static_cast<double>(epochs_to_goal(label, in_time));
  if (at_least > in_time) return;
  findings.met_cut = true;
  if (label.energy + (at_least - 1) * training.energy.value >= findings.cut) return;
  std::size_t epochs = 1;
  for (double loss = label.loss; (loss = graph_.arrive(label.node, loss)) > target_; ++epochs) {
    label.energy += training.energy.value;
    label.time += training.time.value;
    if (static_cast<double>(epochs) > at_least) return;
  }
  if (label.energy >= findings.cut) return;
  if (label.time > graph_.problem().goal().time_bound().value) return;
  findings.last = label;
  findings.last_epochs = epochs;
  findings.cut = label.energy;
}

// At least so many; more than `enough` if they are more.
std::size_t StageWalker::epochs_to_goal(const StageLabel& label, double enough) {
  constexpr auto kNever = std::numeric_limits<std::size_t>::max();
  auto& [before, is_all] = before_goal_[graph_.site(label.node).placement.pos()];
  while (before.back() < label.loss) {
    if (is_all || static_cast<double>(before.size()) > enough) return kNever;
    const double loss = graph_.largest_arrival(label.node, before.back());
    is_all = !(loss > before.back());
    if (!is_all) before.push_back(loss);
  }
  const auto first = std::lower_bound(before.begin(), before.end(), label.loss);
  return std::max<std::size_t>(1, static_cast<std::size_t>(first - before.begin()));
}

}  // namespace espalier
