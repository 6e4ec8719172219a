// SPDX-License-Identifier: Apache-2.0
#include "experiments/assembly.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "experiments/segment_work.h"
#include "io/durable_file.h"
#include "io/trace_file.h"

namespace espalier {
namespace {

// Writes rows one after the other, so that few are in memory.
class TraceWriter {
 public:
  TraceWriter(const Scenario& scenario, const std::filesystem::path& path)
      : scenario_(scenario), file_(path) {
    file_.write(std::string(kTraceHeader) + "\n");
  }

  // The rows are told under the run's name, if one is given.
  void write(std::span<const TraceRow> rows, const std::string& run = {}) {
    std::string text;
    for (TraceRow row : rows) {
      if (!run.empty()) row.run = run;
      // Models may have got other names since the row was observed.
      row.model = version_name(scenario_, row.prune);
      text += trace_line(row) + "\n";
    }
    file_.write(text);
    assembled_.rows += static_cast<std::int64_t>(rows.size());
  }

  void count_run() { ++assembled_.runs; }
  void add_sources(const std::string& nodes, const BranchRecord& record) {
    for (const EnergySource& source : record.sources) assembled_.sources.insert({nodes, source});
  }

  Assembled finish() {
    file_.commit();
    return std::move(assembled_);
  }

 private:
  const Scenario& scenario_;
  DurableFile file_;
  Assembled assembled_;
};

// The rows about the first so many steps.
std::span<const TraceRow> rows_until(const BranchRecord& record, const Branch& branch, int steps) {
  const auto most = static_cast<std::size_t>(rows_before_first_step(branch) + steps);
  return std::span(record.rows).first(std::min(record.rows.size(), most));
}

// An experiment's branches from the root on, each with the steps of it that count.
struct Part {
  BranchId branch;
  int steps;
};

std::vector<Part> parts_of(const ExperimentTree& tree, const Experiment& experiment) {
  std::vector<Part> parts{{experiment.end, experiment.epochs}};
  while (const auto parent = tree.branch(parts.back().branch).parent)
    parts.push_back({*parent, tree.branch(parts.back().branch).after});
  std::reverse(parts.begin(), parts.end());
  return parts;
}

const std::string& nodes_of(const Branch& branch, const Scenario& scenario) {
  return scenario.node_sets[branch.nodes.pos()].name;
}

void write_experiment(const ExperimentTree& tree, const Experiment& experiment,
                      const TraceFolder& folder, const Scenario& scenario, TraceWriter& writer) {
  std::vector<Part> parts = parts_of(tree, experiment);
  std::vector<BranchRecord> records;
  for (Part& part : parts) {
    const Branch& branch = tree.branch(part.branch);
    records.push_back(folder.record_of(branch));
    part.steps = std::min(part.steps, last_step(records.back(), branch));
    if (records.back().steps(branch) < part.steps) return;
  }
  const std::string name =
      fmt::format("{}/{}", tree.branch(experiment.end).run, parts.back().steps);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Branch& branch = tree.branch(parts[i].branch);
    writer.write(rows_until(records[i], branch, parts[i].steps), name);
    writer.add_sources(nodes_of(branch, scenario), records[i]);
  }
  writer.count_run();
}

}  // namespace

Assembled write_traces(const ExperimentTree& tree, const TraceFolder& folder,
                       const Scenario& scenario, const std::filesystem::path& file) {
  TraceWriter writer(scenario, file);
  for (const Branch& branch : tree.branches) {
    const BranchRecord record = folder.record_of(branch);
    if (record.rows.empty()) continue;
    writer.write(rows_until(record, branch, last_step(record, branch)));
    writer.add_sources(nodes_of(branch, scenario), record);
    writer.count_run();
  }
  return writer.finish();
}

Assembled write_experiments(const ExperimentTree& tree, const TraceFolder& folder,
                            const Scenario& scenario, const std::filesystem::path& file) {
  TraceWriter writer(scenario, file);
  for (const Experiment& experiment : tree.experiments)
    write_experiment(tree, experiment, folder, scenario, writer);
  return writer.finish();
}

}  // namespace espalier
