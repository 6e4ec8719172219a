// SPDX-License-Identifier: Apache-2.0
#include "studies/environment.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/trace_file.h"
#include "io/wording.h"
#include "realisations/truth.h"
#include "render/figures.h"

namespace espalier {

std::shared_ptr<const TraceFile> load_environment(const std::string& path) {
  if (path.empty()) return nullptr;
  return std::make_shared<const TraceFile>(TraceFile{path, load_traces(path)});
}

Environment::Environment(const Input& input, std::shared_ptr<const TraceFile> traces)
    : traces_(std::move(traces)),
      beliefs_(input.beliefs),
      believed_(input.estimated),
      actual_(Problem::actual(input.scenario)) {
  if (!traces_) return;
  traced_ = std::make_unique<const TracedWorld>(input.scenario, actual_, traces_->rows,
                                                shown(traces_->path));
  const TruthSpec& told = input.scenario.truth;
  has_other_truth_ = !told.runs.empty() || !told.jumps.empty();
  believed_ = traced_->within(believed_);
  actual_ = traced_->within(actual_);
}

MakeReality Environment::reality() const {
  return traced_ ? reality_of(*traced_, actual_) : reality_of(actual_);
}

MakeOutlook Environment::outlook() const {
  if (!beliefs_) return {};
  return beliefs_->outlooks(believed_,
                            traced_ ? traced_->longest_stays(believed_) : std::vector<int>{});
}

Luck Environment::luck() const {
  if (traced_) return traced_->seed_count() > 1 ? Luck::Drawn : Luck::None;
  return has_noise(actual_) ? Luck::Drawn : Luck::None;
}

SimulationOptions Environment::simulation(const LuckOptions& options) const {
  SimulationOptions simulation = simulation_options(options, luck());
  if (traced_) simulation.runs = std::min(simulation.runs, traced_->seed_count());
  return simulation;
}

std::vector<std::string> Environment::notes(const LuckOptions& options) const {
  if (!traced_) return luck_notes(options, luck());
  const auto seeds = static_cast<std::int64_t>(traced_->seed_count());
  std::vector<std::string> notes{
      fmt::format("losses are those of {}: {}; times and energies are "
                  "the scenario's",
                  shown(traces_->path), counted(seeds, "seed"))};
  if (options.runs.value_or(seeds) > seeds)
    notes.push_back("one run was made for each seed of the traces; more would be the same again");
  if (has_other_truth_) notes.emplace_back("the truth that the scenario tells is not used");
  notes.insert(notes.end(), traced_->notes().begin(), traced_->notes().end());
  return notes;
}

std::string Environment::source() const {
  return traced_ ? "all figures are simulated from the scenario and the traces"
                 : "all figures are simulated from the scenario; nothing was measured";
}

std::optional<TracedTruth> Environment::truth() const {
  if (!traced_) return std::nullopt;
  return TracedTruth{traces_->path, traced_->seed_count()};
}

}  // namespace espalier
