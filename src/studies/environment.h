// SPDX-License-Identifier: Apache-2.0
// What strategies meet in a simulation: the truth of the scenario, or that of traces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/trace.h"
#include "render/simulation_report.h"
#include "replay/traced_world.h"
#include "studies/input.h"
#include "studies/luck_options.h"

namespace espalier {

// Traces from a file, read once.
struct TraceFile {
  std::string path;
  std::vector<TraceRow> rows;
};

// Nothing if `path` is empty. Throws Error{BadInput}.
std::shared_ptr<const TraceFile> load_environment(const std::string& path);

// Immutable but for being moved.
class Environment {
 public:
  // Without traces: the scenario's truth. Throws Error{BadInput} if traces and scenario do not fit.
  Environment(const Input& input, std::shared_ptr<const TraceFile> traces);

  // What strategies may believe in: of the changes those that can happen.
  const Problem& believed() const { return believed_; }
  // What happens, and what is believed on the way. Borrows this.
  MakeReality reality() const;
  MakeOutlook outlook() const;
  // By which rules, if it is the scenario's truth; what it costs in any case.
  const Problem& actual() const { return actual_; }
  // Nothing: the scenario's truth.
  const TracedWorld* traced() const { return traced_.get(); }

  Luck luck() const;
  // Traces hold one run for each of their seeds.
  SimulationOptions simulation(const LuckOptions& options) const;
  std::vector<std::string> notes(const LuckOptions& options) const;
  // "all figures are simulated from …; nothing was measured"
  std::string source() const;
  std::optional<TracedTruth> truth() const;

 private:
  std::shared_ptr<const TraceFile> traces_;
  std::shared_ptr<const FittedBeliefs> beliefs_;
  Problem believed_;
  Problem actual_;
  std::unique_ptr<const TracedWorld> traced_;
  bool has_other_truth_ = false;  // the scenario's, which traces replace
};

}  // namespace espalier
