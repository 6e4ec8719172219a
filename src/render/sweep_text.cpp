// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "render/figures.h"
#include "render/sections.h"
#include "render/simulation_report.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr const char* kMeanExcess = "mean excess";

EnergyScale scale_of(const SweepReport& report) {
  double largest = 0;
  for (const Comparison& comparison : report.comparisons) {
    for (const CompareRow& row : comparison.rows)
      largest = std::max(largest, row.summary.energy.mean);
  }
  return EnergyScale(Joules{largest});
}

std::string energy_cell(const SimulationSummary& s, const EnergyScale& scale) {
  if (!s.energy_when_reached) return "missed";
  return scale(Joules{*s.energy_when_reached}) + (s.reached < s.runs ? "*" : "");
}

// As many as fit beside the names and the mean.
std::size_t values_per_block(const SweepReport& report, const EnergyScale& scale) {
  int name = display_width(report.key);
  int cell = 8;
  for (const Comparison& comparison : report.comparisons) {
    for (const CompareRow& row : comparison.rows) {
      name = std::max(name, display_width(row.strategy));
      cell = std::max(cell, display_width(energy_cell(row.summary, scale)));
    }
  }
  const int rest = kPageWidth - (name + 2) - (display_width(kMeanExcess) + 2);
  return static_cast<std::size_t>(std::max(1, rest / (cell + 2)));
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
  if (block.ends) columns.push_back({kMeanExcess, Align::Right});
  return Table(columns);
}

std::string block_text(const SweepReport& report, const Block& block, const EnergyScale& scale,
                       const Ink& ink) {
  Table table = block_table(report, block);
  Row best{{"optimum", Style::Accent}};
  for (std::size_t v = block.first; v < block.last; ++v) {
    const auto least = report.comparisons[v].least_energy();
    best.push_back({least ? scale(*least) : "none", Style::Accent});
  }
  if (block.ends) best.push_back({""});
  table.add(std::move(best));
  table.add_rule();
  const std::size_t strategies = report.comparisons.front().rows.size();
  for (std::size_t s = 0; s < strategies; ++s) {
    Row row{{report.comparisons.front().rows[s].strategy, Style::Bold}};
    for (std::size_t v = block.first; v < block.last; ++v) {
      const SimulationSummary& summary = report.comparisons[v].rows[s].summary;
      row.push_back(
          {energy_cell(summary, scale), summary.reached == 0 ? Style::Bad : Style::Plain});
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
  std::string text =
      ink(Style::Bold, cut_to(printable(simulated.scenario.name), 60)) +
      ink(Style::Dim, " · energy of each strategy as " + printable(report.key) + " varies") + "\n";
  const std::size_t block = values_per_block(report, scale);
  for (std::size_t first = 0; first < report.values.size(); first += block) {
    const std::size_t last = std::min(first + block, report.values.size());
    text += block_text(report, {first, last, last == report.values.size()}, scale, ink);
  }
  std::vector<std::string> notes = simulated.notes;
  if (some_runs_missed(report))
    notes.push_back("* some runs missed the goal; energy is the mean of those that reached it");
  return text + notes_text(notes, ink);
}

}  // namespace espalier
