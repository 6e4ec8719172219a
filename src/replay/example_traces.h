// SPDX-License-Identifier: Apache-2.0
// Made-up traces for tests, with losses that are easy to check: straight lines.
#pragma once

#include <string>
#include <vector>

#include "core/scenario.h"
#include "core/trace.h"
#include "experiments/run_id.h"

namespace espalier {

inline constexpr int kExampleLength = 20;

// The loss of a stage: where it arrives, and how much it falls with each epoch.
struct ExampleLine {
  double arrival = 0;
  double fall = 0;
  double after(int epochs) const { return arrival - fall * epochs; }
};

inline void add_stage(std::vector<TraceRow>& rows, const std::string& run, const ExampleLine& line,
                      int length) {
  const RunPlace place = *place_of(run);
  for (int e = 0; e <= length; ++e) {
    TraceRow row;
    row.run = run;
    row.seed = place.seed;
    row.epoch = place.epochs_before + e;
    row.model = "x";
    row.nodes = place.nodes;
    row.prune = place.prune;
    row.loss = {line.after(e)};
    row.event = e > 0 ? TraceEvent::Epoch : place.origin ? TraceEvent::HandOver : TraceEvent::Start;
    rows.push_back(row);
  }
}

// Gold falls from 4 by 0.1 an epoch. Half is pruned and handed over to silver after 5 or 10 epochs
// (arrival: 10 − that number, 0.2 an epoch), then a quarter of the rest, to bronze, after 4 or 8
// more (20 − both numbers, 0.5 an epoch). Each stage is 20 epochs long. Another seed is `lift`
// higher.
inline std::vector<TraceRow> example_traces(std::uint64_t seed = 1, double lift = 0) {
  std::vector<TraceRow> rows;
  const std::string gold = first_run_id(seed, "gold");
  add_stage(rows, gold, {4 + lift, 0.1}, kExampleLength);
  for (const int first : {5, 10}) {
    const std::string silver = handed_over_run_id(pruned_run_id(gold, first, 0.5), "silver");
    add_stage(rows, silver, {10.0 - first + lift, 0.2}, kExampleLength);
    for (const int second : {4, 8}) {
      const std::string bronze = handed_over_run_id(pruned_run_id(silver, second, 0.25), "bronze");
      add_stage(rows, bronze, {20.0 - first - second + lift, 0.5}, kExampleLength);
    }
  }
  return rows;
}

// L on gold, M on silver and on bronze, S on bronze; all changes of models and node sets. An epoch
// of L takes 1 s and 3 J, of M 2 s and 2 J, of S 3 s and 1 J.
inline Scenario example_world() {
  const auto learn = [](double rate) {
    return LearnSpec{RuleShape{PowerRule{rate, 0, 1}}, {}, {}};
  };
  Scenario scenario;
  scenario.name = "traced";
  scenario.goal = {Loss{3}, Seconds{100}, 0.95};
  scenario.start = {{0}, {0}, Loss{4}};
  scenario.models = {{"L", {}, 0}, {"M", ModelId{0}, 0.5}, {"S", ModelId{1}, 0.625}};
  scenario.node_sets = {{"gold", {}, {}}, {"silver", {}, {}}, {"bronze", {}, {}}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{3}, learn(0.1)},
                   {{1}, {1}, Seconds{2}, Joules{2}, learn(0.1)},
                   {{1}, {2}, Seconds{2}, Joules{2}, learn(0.1)},
                   {{2}, {2}, Seconds{3}, Joules{1}, learn(0.1)}};
  scenario.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.25}, {}},
                            {{0}, {2}, Seconds{0.5}, Joules{0.25}, {}},
                            {{1}, {2}, Seconds{0.5}, Joules{0.25}, {}}};
  return scenario;
}

}  // namespace espalier
