// SPDX-License-Identifier: Apache-2.0
#include "search/stage_search.h"

#include <algorithm>
#include <limits>

namespace espalier {

StageSearch::StageSearch(const SearchGraph& graph)
    : graph_(graph),
      target_(graph.problem().goal().loss_bound().value),
      before_goal_(graph.problem().size(), {target_}) {}

double StageSearch::least_total(NodeIndex node, const Label& label) {
  const double least = bound_->least_total(node, label.loss, label.energy, label.time, cut_);
  met_cut_ |= least >= cut_ && least < std::numeric_limits<double>::infinity();
  return least;
}

bool StageSearch::is_dominated(const Label& label) const {
  return stairs_[static_cast<std::size_t>(label.node)].dominates(
      label.loss + question_.loss_tolerance, label.time + question_.time_tolerance);
}

// Trains where the label has arrived, and leaves whenever that may pay.
void StageSearch::train(std::int32_t index) {
  Label label = labels_[static_cast<std::size_t>(index)];
  const PlacementId placement = graph_.site(label.node).placement;
  const NodeIndex leaving = bound_->map().leaving(placement);
  const NodeIndex passing = bound_->map().passing(placement);
  if (is_dominated(label) || least_total(passing, label) >= cut_) return;
  stairs_[static_cast<std::size_t>(label.node)].insert(label.loss, label.time);
  const Training& training = graph_.problem().training(placement);
  label.parent = index;
  label.epochs = 0;
  do {
    const double before = label.loss;
    label.loss = graph_.arrive(label.node, before);
    ++label.epochs;
    if (label.loss <= target_ || !(label.loss < before)) return;
    if (least_total(leaving, label) < cut_) leave(label);
    label.energy += training.energy.value;
    label.time += training.time.value;
  } while (least_total(passing, label) < cut_);
}

void StageSearch::leave(const Label& label) {
  for (const Arc& arc : graph_.arcs(label.node)) {
    if (graph_.site(arc.to).trains) {
      if (arc.to != label.node) arrive(label, arc);
    } else {
      Label half_way = label;
      half_way.energy += arc.energy;
      half_way.time += arc.time;
      if (least_total(arc.to, half_way) < cut_) go_on(half_way, arc.to);
    }
  }
}

// With the nodes changed: to other models only if one of them may pay.
void StageSearch::go_on(const Label& label, NodeIndex half_way) {
  const bool may_switch = least_total(bound_->map().switching(half_way), label) < cut_;
  const ModelId model = model_at(label.node);
  for (const Arc& arc : graph_.arcs(half_way)) {
    if (arc.to != label.node && (may_switch || model_at(arc.to) == model)) arrive(label, arc);
  }
}

ModelId StageSearch::model_at(NodeIndex node) const {
  return graph_.problem().training(graph_.site(node).placement).at.model;
}

void StageSearch::arrive(const Label& label, const Arc& arc) {
  Label next = label;
  next.loss = arc.jump.apply(label.loss);
  if (next.loss > graph_.ceiling() && next.loss > label.loss) return;
  next.energy += arc.energy;
  next.time += arc.time;
  next.node = arc.to;
  if (is_dominated(next)) return;
  stay_to_the_end(next);
  if (least_total(bound_->map().passing(graph_.site(arc.to).placement), next) >= cut_) return;
  queue_.push({next.energy, static_cast<std::int32_t>(labels_.size())});
  labels_.push_back(next);
}

// Notes the plan that ends here, if it is the best so far.
void StageSearch::stay_to_the_end(Label label) {
  const Training& training = graph_.problem().training(graph_.site(label.node).placement);
  const double time_left = graph_.problem().goal().time_bound().value - label.time;
  const double in_time = 1 + time_left / training.time.value;
  const double at_least = static_cast<double>(epochs_to_goal(label, in_time));
  if (at_least > in_time) return;
  met_cut_ = true;
  if (label.energy + (at_least - 1) * training.energy.value >= cut_) return;
  std::size_t epochs = 1;
  for (double loss = label.loss; (loss = graph_.arrive(label.node, loss)) > target_; ++epochs) {
    label.energy += training.energy.value;
    label.time += training.time.value;
    if (static_cast<double>(epochs) > at_least) return;
  }
  if (label.energy >= cut_ || label.time > graph_.problem().goal().time_bound().value) return;
  last_ = label;
  last_epochs_ = epochs;
  cut_ = label.energy;
}

// At least so many; more than `enough` if they are more.
std::size_t StageSearch::epochs_to_goal(const Label& label, double enough) {
  constexpr auto kNever = std::numeric_limits<std::size_t>::max();
  std::vector<double>& before = before_goal_[graph_.site(label.node).placement.pos()];
  if (before.empty()) return kNever;
  while (before.back() < label.loss) {
    if (static_cast<double>(before.size()) > enough) return kNever;
    const double loss = graph_.largest_arrival(label.node, before.back());
    if (!(loss > before.back())) {
      before.clear();
      return kNever;
    }
    before.push_back(loss);
  }
  const auto first = std::lower_bound(before.begin(), before.end(), label.loss);
  return std::max<std::size_t>(1, static_cast<std::size_t>(first - before.begin()));
}

LabelSearch::Outcome StageSearch::run(const Question& question, const GridBundle& bound,
                                      const LabelSearch::Limits& limits) {
  question_ = question;
  bound_ = &bound;
  cut_ = question.cut;
  met_cut_ = false;
  last_epochs_ = 0;
  labels_.clear();
  const State& start = question.start;
  queue_.reset(start.energy.value, cut_);
  stairs_.assign(static_cast<std::size_t>(graph_.size()), {});
  const Label origin{start.energy.value, start.time.value, start.loss.value, kNoNode, -1, 0};
  for (const Arc& arc : graph_.arcs_from(start)) arrive(origin, arc);
  const auto max_labels =
      static_cast<std::size_t>(std::min<std::int64_t>(limits.max_labels, 2'000'000'000));
  bool complete = true;
  for (std::size_t i = 0; !queue_.empty(); ++i) {
    if (labels_.size() > max_labels || ((i & 63) == 0 && limits.stop.stop_requested())) {
      complete = false;
      break;
    }
    const EnergyQueue::Entry entry = queue_.pop();
    if (entry.energy >= cut_) break;
    train(entry.label);
  }
  const auto count = static_cast<std::int64_t>(labels_.size());
  constexpr std::size_t kBytes =
      sizeof(Label) + sizeof(EnergyQueue::Entry) + sizeof(Staircase::Corner);
  return {path(), cut_, complete, met_cut_, count, count * static_cast<std::int64_t>(kBytes)};
}

std::vector<PlacementId> StageSearch::path() const {
  std::vector<PlacementId> path;
  if (last_epochs_ == 0) return path;
  path.assign(last_epochs_, graph_.site(last_.node).placement);
  for (const Label* label = &last_; label->parent >= 0;) {
    const auto epochs = static_cast<std::size_t>(label->epochs);
    label = &labels_[static_cast<std::size_t>(label->parent)];
    path.insert(path.end(), epochs, graph_.site(label->node).placement);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace espalier
