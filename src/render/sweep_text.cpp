// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "render/figures.h"
#include "render/sections.h"
#include "render/simulation_report.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr std::size_t kValuesPerBlock = 6;

EnergyScale scale_of(const SweepReport& report) {
  double largest = 0;
  for (const Comparison& comparison : report.comparisons) {
    for (const CompareRow& row : comparison.rows) largest = std::max(largest, row.summary.energy.mean);
  }
  return EnergyScale(Joules{largest});
}

std::string energy_cell(const SimulationSummary& s, const EnergyScale& scale) {
  if (!s.energy_when_reached) return "missed";
  return scale(Joules{*s.energy_when_reached}) + (s.reached < s.runs ? "*" : "");
}

// The values [first, last) of the sweep; the last block ends with the mean.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;
  bool ends = false;
};

Table block_table(const SweepReport& report, const Block& block) {
  std::vector<Column> columns{{report.key}};
  for (std::size_t v = block.first; v < block.last; ++v) {
    columns.push_back({fmt::format("{:.6g}", report.values[v]), Align::Right});
  }
  if (block.ends) columns.push_back({"mean excess", Align::Right});
  return Table(columns);
}

std::string block_text(const SweepReport& report, const Block& block, const EnergyScale& scale, const Ink& ink) {
  Table table = block_table(report, block);
  Row best{{"optimum", Style::Accent}};
  for (std::size_t v = block.first; v < block.last; ++v) {
    const auto& plan = report.comparisons[v].optimum.plan;
    best.push_back({plan ? scale(plan->end().energy) : "infeasible", Style::Accent});
  }
  if (block.ends) best.push_back({""});
  table.add(std::move(best));
  table.add_rule();
  const std::size_t strategies = report.comparisons.front().rows.size();
  for (std::size_t s = 0; s < strategies; ++s) {
    Row row{{report.comparisons.front().rows[s].strategy, Style::Bold}};
    for (std::size_t v = block.first; v < block.last; ++v) {
      const SimulationSummary& summary = report.comparisons[v].rows[s].summary;
      row.push_back({energy_cell(summary, scale), summary.reached == 0 ? Style::Bad : Style::Plain});
    }
    const auto mean = report.mean_excess(s);
    if (block.ends) row.push_back({mean ? signed_percent(*mean) : "–"});
    table.add(std::move(row));
  }
  return "\n" + table.text(ink);
}

bool some_runs_missed(const SweepReport& report) {
  for (const Comparison& comparison : report.comparisons) {
    for (const CompareRow& row : comparison.rows) {
      if (row.summary.reached > 0 && row.summary.reached < row.summary.runs) return true;
    }
  }
  return false;
}

}  // namespace

std::string sweep_text(const SweepReport& report, const Ink& ink) {
  const Simulated& simulated = report.simulated;
  const EnergyScale scale = scale_of(report);
  std::string text = ink(Style::Bold, cut_to(printable(simulated.scenario.name), 60)) +
                     ink(Style::Dim, " · energy of each strategy as " + printable(report.key) + " varies") + "\n";
  for (std::size_t first = 0; first < report.values.size(); first += kValuesPerBlock) {
    const std::size_t last = std::min(first + kValuesPerBlock, report.values.size());
    text += block_text(report, {first, last, last == report.values.size()}, scale, ink);
  }
  std::vector<std::string> notes = simulated.notes;
  if (some_runs_missed(report)) notes.push_back("* some runs missed the goal; energy is the mean of those that reached it");
  return text + notes_text(notes, ink);
}

}  // namespace espalier
