// SPDX-License-Identifier: Apache-2.0
#include "search/stage_search.h"

#include <algorithm>

#include "core/infinite.h"
#include "core/parallel.h"

namespace espalier {
namespace {

// More labels at a time would miss plans found by the first of them.
constexpr std::size_t kTogether = 2048;
// Labels that train one after another, on the same core.
constexpr std::size_t kPart = 32;
// Fewer parts are not worth another thread.
constexpr std::size_t kManyParts = 4;

double least_epoch_of(const Problem& problem) {
  double least = kInfinite;
  for (const Training& training : problem.placements()) {
    if (training.possible) least = std::min(least, training.energy.value);
  }
  return least;
}

}  // namespace

StageSearch::StageSearch(const SearchGraph& graph, unsigned workers)
    : graph_(graph),
      least_epoch_(least_epoch_of(graph.problem())),
      walkers_(worker_count(kTogether, workers), StageWalker(graph)) {}

bool StageSearch::is_dominated(const StageLabel& label) const {
  return stairs_[static_cast<std::size_t>(label.node)].dominates(
      label.loss + question_.loss_tolerance, label.time + question_.time_tolerance);
}

// Those that are of use, of all that have almost the energy of the first of them. None only if
// there are no more.
void StageSearch::settle_together() {
  settled_.clear();
  double end = kInfinite;
  while (!queue_.empty() && settled_.size() < kTogether) {
    const EnergyQueue::Entry entry = queue_.top();
    if (entry.energy >= std::min(end, best_.cut)) return;
    queue_.pop();
    const StageLabel& label = labels_[static_cast<std::size_t>(entry.label)];
    if (is_dominated(label)) continue;
    if (end == kInfinite) end = entry.energy + least_epoch_;
    stairs_[static_cast<std::size_t>(label.node)].insert(label.loss, label.time);
    settled_.push_back(entry.label);
  }
}

void StageSearch::train(const GridBundle& bound) {
  const std::size_t parts = (settled_.size() + kPart - 1) / kPart;
  if (found_.size() < parts) found_.resize(parts);
  const unsigned workers =
      parts < kManyParts ? 1 : static_cast<unsigned>(std::min(walkers_.size(), parts));
  for_each_index(parts, workers, [&](unsigned worker, std::size_t part) {
    StageFindings& findings = found_[part];
    findings.cut = best_.cut;
    findings.met_cut = false;
    findings.last_epochs = 0;
    findings.arrivals.clear();
    const std::size_t end = std::min(settled_.size(), (part + 1) * kPart);
    for (std::size_t i = part * kPart; i < end; ++i) {
      const std::int32_t index = settled_[i];
      walkers_[worker].train(labels_[static_cast<std::size_t>(index)], index, bound, findings);
    }
  });
  for (std::size_t part = 0; part < parts; ++part) take(found_[part]);
}

void StageSearch::take(const StageFindings& findings) {
  best_.met_cut |= findings.met_cut;
  if (findings.last_epochs > 0 && findings.cut < best_.cut) {
    best_.cut = findings.cut;
    best_.last = findings.last;
    best_.last_epochs = findings.last_epochs;
  }
  for (const StageLabel& label : findings.arrivals) {
    queue_.push({label.energy, static_cast<std::int32_t>(labels_.size())});
    labels_.push_back(label);
  }
}

void StageSearch::start(const State& state, const GridBundle& bound) {
  labels_.clear();
  queue_.reset(state.energy.value, question_.cut);
  stairs_.assign(static_cast<std::size_t>(graph_.size()), {});
  best_ = {};
  best_.cut = question_.cut;
  StageFindings findings = best_;
  const StageLabel origin{state.energy.value, state.time.value, state.loss.value, kNoNode, -1, 0};
  for (const Arc& arc : graph_.arcs_from(state))
    walkers_.front().arrive(origin, arc, bound, findings);
  take(findings);
}

LabelSearch::Outcome StageSearch::run(const Question& question, const GridBundle& bound,
                                      const LabelSearch::Limits& limits) {
  question_ = question;
  start(question.start, bound);
  const auto max_labels =
      static_cast<std::size_t>(std::min<std::int64_t>(limits.max_labels, 2'000'000'000));
  bool complete = true;
  for (settle_together(); !settled_.empty(); settle_together()) {
    if (labels_.size() > max_labels || limits.stop.stop_requested()) {
      complete = false;
      break;
    }
    train(bound);
  }
  const auto count = static_cast<std::int64_t>(labels_.size());
  constexpr std::size_t kBytes =
      sizeof(StageLabel) + sizeof(EnergyQueue::Entry) + sizeof(Staircase::Corner);
  return {path(),        best_.cut, complete,
          best_.met_cut, count,     count * static_cast<std::int64_t>(kBytes)};
}

std::vector<PlacementId> StageSearch::path() const {
  std::vector<PlacementId> path;
  if (best_.last_epochs == 0) return path;
  path.assign(best_.last_epochs, graph_.site(best_.last.node).placement);
  for (const StageLabel* label = &best_.last; label->parent >= 0;) {
    const auto epochs = static_cast<std::size_t>(label->epochs);
    label = &labels_[static_cast<std::size_t>(label->parent)];
    path.insert(path.end(), epochs, graph_.site(label->node).placement);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace espalier
