// SPDX-License-Identifier: Apache-2.0
// Small worlds of made-up traces, and outcomes that nobody had to live through.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "evidence/evidence_input.h"
#include "replay/example_traces.h"

namespace espalier {

// The example's world with two seeds.
inline EvidenceInput example_input() {
  EvidenceInput input;
  input.scenario = example_world();
  input.rows = example_traces(1);
  const auto other = example_traces(2, 0.1);
  input.rows.insert(input.rows.end(), other.begin(), other.end());
  input.splits = split_seeds(input.rows, 2);
  input.targets = {2.5, 3.0, 3.4};
  input.regimes = {{"loose", "any time", Seconds{100}}};
  return input;
}

// The same as `collect` has it: each hand-over follows a pruning, and no loss is negative.
inline std::vector<TraceRow> as_collected(const std::vector<TraceRow>& rows) {
  std::vector<TraceRow> all;
  for (TraceRow row : rows) {
    row.loss = std::max(row.loss, Loss{0.01});
    row.samples = 1000;
    row.classes = 10;
    if (row.event == TraceEvent::HandOver) {
      const RunPlace place = *place_of(row.run);
      TraceRow pruned = row;
      pruned.run = place.origin->run;
      pruned.nodes = place.nodes_before;
      pruned.event = TraceEvent::Prune;
      all.push_back(pruned);
    }
    all.push_back(row);
  }
  return all;
}

// Of who at which target; energy 0: missed.
inline TryOutcome made_up(const std::string& who, double target, double energy,
                          std::uint64_t seed = 1) {
  TryOutcome outcome{.regime = "loose", .contender = who, .target = target, .seed = seed};
  outcome.reached = energy > 0;
  outcome.energy = energy;
  return outcome;
}

inline TryOutcome made_up(const std::string& who, double target,
                          const std::vector<OutcomeStage>& stages) {
  TryOutcome outcome = made_up(who, target, 0.0);
  outcome.reached = true;
  outcome.stages = stages;
  for (const OutcomeStage& stage : stages) outcome.energy += stage.energy;
  return outcome;
}

}  // namespace espalier
