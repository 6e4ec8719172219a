// SPDX-License-Identifier: Apache-2.0
// All runs of a folder in one trace file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "core/scenario.h"
#include "experiments/trace_folder.h"

namespace espalier {

// Where the energy figures of a node set come from.
struct NodeEnergySource {
  std::string nodes;
  EnergySource source;
  friend auto operator<=>(const NodeEnergySource&, const NodeEnergySource&) = default;
};

struct Assembled {
  std::int64_t runs = 0;
  std::int64_t rows = 0;
  std::set<NodeEnergySource> sources;
};

// Every step once, under the run that it belongs to, in the order of the tree. What is not known
// yet is not there.
Assembled write_traces(const ExperimentTree& tree, const TraceFolder& folder,
                       const Scenario& scenario, const std::filesystem::path& file);

// Every experiment from its beginning to its end, as a run of its own: shared steps are repeated.
// The run is called after the last of its runs and how many epochs of it count. Experiments that
// are not complete are left out.
Assembled write_experiments(const ExperimentTree& tree, const TraceFolder& folder,
                            const Scenario& scenario, const std::filesystem::path& file);

}  // namespace espalier
