// SPDX-License-Identifier: Apache-2.0
// Everything `simulate` and `compare` found out, ready to be told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/plan.h"
#include "render/command_words.h"
#include "render/ink.h"
#include "simulation/simulation.h"
#include "simulation/summary.h"

namespace espalier {

// Where the truth is taken from traces.
struct TracedTruth {
  std::string file;
  std::size_t seeds = 0;
};

// What was simulated, and how. Scenario and problem are borrowed.
struct Simulated {
  const Scenario& scenario;
  const Problem& problem;
  SimulationOptions options;
  Luck luck = Luck::None;
  std::vector<std::string> notes;
  CommandWords words;                   // to repeat in hints
  std::optional<TracedTruth> traces{};  // absent: the scenario's own truth
};

struct SimulationReport {
  Simulated simulated;
  std::string strategy;
  SimulationSummary summary;
  std::vector<RunRecord> detail;  // where it was asked for
};

// One strategy: what it planned at the start, and what came of it.
struct CompareRow {
  std::string strategy;
  PlanResult planned;
  SimulationSummary summary;
  // Energy above that of the optimum of the same runs, as a share; nothing where it reached none.
  std::optional<double> excess{};
};

// The least energies for somebody who knew the luck of each run.
struct ClairvoyantSummary {
  std::size_t runs = 0;
  std::size_t reachable = 0;  // could reach the goal
  std::size_t proved = 0;     // of those: the energy is the least, not a bound below it
  double energy = 0;          // mean of those, in J
};

// The rows for one goal, and the least energy for anyone who knew the truth.
struct Comparison {
  std::vector<CompareRow> rows;
  PlanResult optimum;                             // without luck
  std::optional<ClairvoyantSummary> clairvoyant;  // with luck

  bool is_reachable() const {
    return clairvoyant ? clairvoyant->reachable > 0 : optimum.verdict != Verdict::Infeasible;
  }
  // On average, where there is luck; nothing if the goal was out of reach.
  std::optional<Joules> least_energy() const;
};

struct CompareReport {
  Simulated simulated;
  Comparison comparison;
};

// One comparison for each value of one setting.
struct SweepReport {
  Simulated simulated;
  std::string key;
  std::vector<double> values;
  std::vector<Comparison> comparisons;  // one per value, with the same strategies in each

  // Mean over the values where there is one.
  std::optional<double> mean_excess(std::size_t strategy) const;
};

// For people.
std::string simulation_text(const SimulationReport& report, const Ink& ink);
std::string compare_text(const CompareReport& report, const Ink& ink);
std::string sweep_text(const SweepReport& report, const Ink& ink);

// For machines: one JSON document.
std::string simulation_document(const SimulationReport& report);
enum class CompareDetail { Figures, Curves };  // Curves: what each strategy planned, epoch by epoch
std::string compare_document(const CompareReport& report,
                             CompareDetail detail = CompareDetail::Figures);
std::string sweep_document(const SweepReport& report);

}  // namespace espalier
