// SPDX-License-Identifier: Apache-2.0
// Traces and fitters for tests: networks that learnt nothing, made at once.
#pragma once

#include <string>
#include <vector>

#include "estimation/fresh_estimator.h"
#include "estimation/synthetic_traces.h"
#include "estimation/torch/fit_estimators.h"
#include "fitting/fit.h"

namespace espalier::support {

inline std::string run_name(std::uint64_t number) { return "run" + std::to_string(1000 + number); }

// Runs that learn by power laws, each with one pruning in the middle if wanted.
inline std::vector<TraceRow> synthetic_rows(std::uint64_t runs, int epochs, bool prunes) {
  const CurveSource source(5);
  std::vector<TraceRow> rows;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::vector<double> losses = source.losses(run, epochs);
    for (TraceRow& row : fresh_run(run_name(run), losses)) {
      row.prune = prunes && row.epoch > epochs / 2 ? 0.5 : 0;
      rows.push_back(row);
    }
    if (!prunes) continue;
    const double before = losses[static_cast<std::size_t>(epochs / 2)];
    const double after = before + 0.4 + 0.05 * source.normal(run, 1);
    rows.push_back(trace_row(run_name(run), epochs / 2, after, TraceEvent::Prune));
    rows.back().prune = 0.5;
  }
  return rows;
}

// Random weights, in the scale of the examples: networks that were fitted very badly.
inline Fitters hopeless_fitters() {
  Fitters fitters;
  fitters.run = [](const RunSequences& sequences, const FitOptions& options,
                   const FitWatch& watch) {
    std::vector<RunTable> tables;
    for (const RunSequence& one : sequences.learned) tables.push_back(run_table(one));
    FittedNetwork fitted{fresh_weights(RunShape{8, 8, 8}, tables, options.seed), {}, FitEnd::Limit};
    fitted.last.epoch = 1;
    if (watch.progress) watch.progress(fitted.last);
    return fitted;
  };
  fitters.change = [](const ChangeExamples& examples, const FitOptions& options, const FitWatch&) {
    const ChangeTable table = change_table(examples.learned);
    return FittedNetwork{fresh_weights(ChangeShape{8, 8}, table, options.seed), {}, FitEnd::Limit};
  };
  return fitters;
}

}  // namespace espalier::support
