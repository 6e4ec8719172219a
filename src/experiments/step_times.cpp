// SPDX-License-Identifier: Apache-2.0
#include "experiments/step_times.h"

#include <algorithm>

namespace espalier {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

StepTimes::StepTimes(const Scenario& scenario)
    : samples_(scenario.node_sets.size(), 1.0), members_(scenario.node_sets.size(), 1) {
  if (scenario.training) {
    for (const NodeDataSpec& data : scenario.training->nodes) {
      samples_[data.nodes.pos()] = static_cast<double>(data.samples);
      members_[data.nodes.pos()] = data.device.empty() ? data.members : 0;
    }
  }
  for (const RunSpec& run : scenario.runs) {
    const int members = members_[run.nodes.pos()];
    if (members > 0)
      told_[{run.nodes, scenario.models[run.model.pos()].prune}] = run.time * members;
  }
}

double StepTimes::weight(NodeSetId nodes, double prune) const {
  return samples_[nodes.pos()] * (1 - prune);
}

bool StepTimes::take_from(std::span<const TraceRow> traces, const Scenario& scenario) {
  std::map<Version, std::vector<double>> seen;
  for (const TraceRow& row : traces) {
    const auto set = std::ranges::find(scenario.node_sets, row.nodes, &NodeSetSpec::name);
    if (row.event != TraceEvent::Epoch || set == scenario.node_sets.end()) continue;
    const NodeSetId nodes{static_cast<std::int32_t>(set - scenario.node_sets.begin())};
    const bool is_same_work = static_cast<double>(row.samples) == samples_[nodes.pos()];
    if (is_same_work && members_[nodes.pos()] > 0)
      seen[{nodes, row.prune}].push_back(row.time.value);
  }
  if (seen.empty()) return false;
  told_.clear();
  is_told_by_traces_ = true;
  for (auto& [version, times] : seen)
    told_[version] = Seconds{median_of(std::move(times)) * members_[version.first.pos()]};
  return true;
}

StepTimes::Source StepTimes::source() const {
  if (observed_weight_ > 0) return Source::OwnEpochs;
  if (told_.empty()) return Source::Nothing;
  return is_told_by_traces_ ? Source::OtherTraces : Source::RunTable;
}

void StepTimes::add(NodeSetId nodes, double prune, Seconds time) {
  const int members = members_[nodes.pos()];
  if (members == 0) return;
  Mean& mean = observed_[{nodes, prune}];
  mean.sum += time.value * members;
  mean.count += 1;
  observed_time_ += time.value * members;
  observed_weight_ += weight(nodes, prune);
}

std::optional<Seconds> StepTimes::epoch(NodeSetId nodes, double prune) const {
  if (const auto found = observed_.find({nodes, prune}); found != observed_.end())
    return Seconds{found->second.sum / found->second.count};
  if (observed_weight_ > 0)
    return Seconds{observed_time_ / observed_weight_ * weight(nodes, prune)};
  if (const auto found = told_.find({nodes, prune}); found != told_.end()) return found->second;
  if (told_.empty()) return std::nullopt;
  double time = 0;
  double total = 0;
  for (const auto& [version, seconds] : told_) {
    time += seconds.value;
    total += weight(version.first, version.second);
  }
  return Seconds{time / total * weight(nodes, prune)};
}

std::optional<Seconds> time_left(const ExperimentTree& tree, const std::vector<int>& steps_left,
                                 const StepTimes& times) {
  Seconds total{};
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    const Branch& branch = tree.branches[i];
    if (branch.kind == Branch::Kind::Pruning || steps_left[i] == 0) continue;
    const auto epoch = times.epoch(branch.nodes, branch.prune);
    if (!epoch) return std::nullopt;
    total += *epoch * steps_left[i];
  }
  return total;
}

}  // namespace espalier
