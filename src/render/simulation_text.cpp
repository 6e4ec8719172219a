// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "render/figures.h"
#include "render/sections.h"
#include "render/simulation_report.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr std::size_t kMostRunsShown = 25;

const char* loop_text(const Simulated& simulated) {
  return simulated.options.run.loop == Loop::Closed ? "deciding anew after every epoch"
                                                    : "following its first plan";
}

std::string reached_line(const SimulationReport& report) {
  const SimulationSummary& s = report.summary;
  if (report.simulated.luck == Luck::None) return s.reached > 0 ? "goal reached" : "goal missed";
  return fmt::format("goal reached in {} of {}: {} (95 % interval {} … {})", s.reached,
                     counted(static_cast<long long>(s.runs), "run"), percent(s.probability),
                     percent(s.probability_interval.low), percent(s.probability_interval.high));
}

Style reached_style(const SimulationSummary& s) {
  if (s.reached == s.runs) return Style::Good;
  return s.reached == 0 ? Style::Bad : Style::Warning;
}

template <class Figure>
void add_spread(Table& table, const char* name, const Spread& s, Figure figure) {
  table.add(
      {{name}, {figure(s.mean), Style::Bold}, {figure(s.p05)}, {figure(s.p50)}, {figure(s.p95)}});
}

std::string spreads_text(const SimulationSummary& s, const Ink& ink) {
  Table table({{""},
               {"mean", Align::Right},
               {"5 % below", Align::Right},
               {"median", Align::Right},
               {"95 % below", Align::Right}});
  const EnergyScale scale(Joules{std::max(s.energy.p95, s.energy.mean)});
  add_spread(table, "energy", s.energy, [&](double v) { return scale(Joules{v}); });
  add_spread(table, "time", s.time, [](double v) { return duration(Seconds{v}); });
  add_spread(table, "loss", s.loss, [](double v) { return loss_figure(Loss{v}); });
  return table.text(ink);
}

std::string outcome_text(const SimulationSummary& s) {
  return fmt::format("  energy {}, time {}, loss {}\n", energy_figure(Joules{s.energy.mean}),
                     duration(Seconds{s.time.mean}), loss_figure(Loss{s.loss.mean}));
}

const char* end_text(RunEnd end) {
  switch (end) {
    case RunEnd::Reached:
      return "reached";
    case RunEnd::DeadlinePassed:
      return "missed: out of time";
    case RunEnd::NothingToSay:
      return "missed: no plan left";
    case RunEnd::EpochLimit:
      return "missed: too many epochs";
    case RunEnd::Stopped:
      return "stopped";
  }
  return "";
}

std::string detail_text(const SimulationReport& report, const Ink& ink) {
  if (report.detail.empty()) return "";
  Table table({{"run", Align::Right},
               {"end"},
               {"epochs", Align::Right},
               {"energy", Align::Right},
               {"time", Align::Right},
               {"loss", Align::Right},
               {"switches", Align::Right}});
  const EnergyScale scale(Joules{report.summary.energy.p95});
  for (std::size_t i = 0; i < std::min(report.detail.size(), kMostRunsShown); ++i) {
    const RunRecord& record = report.detail[i];
    const State end = record.course.end();
    table.add({{std::to_string(i)},
               {end_text(record.end), record.reached() ? Style::Plain : Style::Bad},
               {std::to_string(record.course.steps.size())},
               {scale(end.energy)},
               {duration(end.time)},
               {loss_figure(end.loss)},
               {std::to_string(record.switches)}});
  }
  return "\n" + table.text(ink);
}

std::string untraced_text(const SimulationSummary& s) {
  const double epochs = s.unknown_epochs_mean;
  return fmt::format("{:.3g} {}{} lay beyond what was traced, where nothing more is learned",
                     epochs, epochs == 1 ? "epoch" : "epochs", s.runs > 1 ? " per run" : "");
}

std::string planless_text(const SimulationSummary& s) {
  if (s.energy.p95 == 0) return "there is no plan that reaches the goal: nothing was trained";
  return s.runs == 1 ? "the run ended because there was no plan any more"
                     : fmt::format("{} of {} runs ended because there was no plan any more",
                                   s.without_plan, s.runs);
}

std::vector<std::string> notes_of(const Simulated& simulated, const SimulationSummary& s) {
  std::vector<std::string> notes = simulated.notes;
  if (s.without_plan > 0) notes.push_back(planless_text(s));
  if (s.unknown_epochs_mean > 0) notes.push_back(untraced_text(s));
  for (const CountedNote& note : s.notes)
    notes.push_back(fmt::format("said {} ×: {}", note.count, note.text));
  return notes;
}

// --- compare
// -----------------------------------------------------------------------------------------

std::string reached_cell(const SimulationSummary& s, Luck luck) {
  if (luck == Luck::None) return s.reached > 0 ? "yes" : "no";
  return fmt::format("{} ({:.1f}…{:.1f})", percent(s.probability), 100 * s.probability_interval.low,
                     100 * s.probability_interval.high);
}

std::string excess_text(const std::optional<double>& excess) {
  return excess ? signed_percent(*excess) : "–";
}

Joules largest_energy(const Comparison& comparison) {
  Joules largest = comparison.optimum.plan ? comparison.optimum.plan->end().energy : Joules{};
  for (const CompareRow& row : comparison.rows) {
    largest = std::max(largest, Joules{row.summary.energy.mean});
    if (row.planned.plan) largest = std::max(largest, row.planned.plan->end().energy);
  }
  return largest;
}

// Without luck there is one run, and it has no spread.
std::vector<Column> compare_columns(Luck luck) {
  std::vector<Column> columns{{"strategy"}, {"reached", Align::Right}, {"energy", Align::Right}};
  if (luck == Luck::Drawn) columns.push_back({"5 % … 95 %", Align::Right});
  columns.push_back({"vs optimum", Align::Right});
  columns.push_back({"time", Align::Right});
  columns.push_back({luck == Luck::Drawn ? "5 % … 95 %" : "loss", Align::Right});
  columns.push_back({"switches", Align::Right});
  columns.push_back({"had planned", Align::Right});
  return columns;
}

Row clairvoyant_row(const ClairvoyantSummary& summary, const EnergyScale& scale) {
  Row row{{"optimum", Style::Accent},
          {percent(static_cast<double>(summary.reachable) / static_cast<double>(summary.runs))}};
  row.push_back({summary.reachable > 0 ? scale(Joules{summary.energy}) : "–", Style::Accent});
  row.resize(compare_columns(Luck::Drawn).size());
  if (summary.proved < summary.reachable) row[3] = {"bound"};
  return row;
}

Row optimum_row(const Simulated& simulated, const PlanResult& optimum, const EnergyScale& scale) {
  const std::size_t columns = compare_columns(simulated.luck).size();
  Row row{{"optimum", Style::Accent}};
  if (!optimum.plan) {
    row.push_back({"no"});
    row.resize(columns, {"–"});
    return row;
  }
  const State end = optimum.plan->end();
  row.push_back({"yes"});
  row.push_back({scale(end.energy), Style::Accent});
  row.push_back({optimum.verdict == Verdict::Optimal ? "" : "bound"});
  row.push_back({duration(end.time)});
  row.push_back({loss_figure(end.loss)});
  row.push_back({std::to_string(optimum.plan->switches(simulated.problem))});
  row.resize(columns);
  return row;
}

template <class Figure>
std::string spread_cell(const Spread& spread, Figure figure) {
  return fmt::format("{} … {}", figure(spread.p05), figure(spread.p95));
}

Row compare_row(const CompareReport& report, const CompareRow& row, const EnergyScale& scale) {
  const SimulationSummary& s = row.summary;
  const Luck luck = report.simulated.luck;
  const auto energy = [&](double joules) { return scale(Joules{joules}); };
  const auto time = [](double seconds) { return duration(Seconds{seconds}); };
  Row cells{{row.strategy, Style::Bold}, {reached_cell(s, luck), reached_style(s)}};
  cells.push_back({energy(s.energy.mean)});
  if (luck == Luck::Drawn) cells.push_back({spread_cell(s.energy, energy)});
  cells.push_back({excess_text(row.excess)});
  cells.push_back({time(s.time.mean)});
  cells.push_back(
      {luck == Luck::Drawn ? spread_cell(s.time, time) : loss_figure(Loss{s.loss.mean})});
  cells.push_back({fmt::format("{:.{}f}", s.switches_mean, luck == Luck::Drawn ? 1 : 0)});
  cells.push_back({row.planned.plan ? scale(row.planned.cost()) : "no plan"});
  return cells;
}

std::vector<std::string> compare_notes(const CompareReport& report) {
  std::vector<std::string> notes = report.simulated.notes;
  for (const CompareRow& row : report.comparison.rows) {
    if (row.summary.unknown_epochs_mean > 0)
      notes.push_back(row.strategy + ": " + untraced_text(row.summary));
    for (const CountedNote& note : row.summary.notes) {
      notes.push_back(fmt::format("{} said {} ×: {}", row.strategy, note.count, note.text));
    }
  }
  return notes;
}

std::string realisations_text(const Simulated& simulated) {
  if (simulated.luck == Luck::None) return "on the truth";
  if (simulated.traces)
    return fmt::format("on the traces of {}",
                       counted(static_cast<long long>(simulated.options.runs), "seed"));
  return fmt::format("on {}, seed {}",
                     counted(static_cast<long long>(simulated.options.runs), "realisation"),
                     simulated.options.seed);
}

// The command that compares on the same.
std::string compare_command(const Simulated& simulated) {
  std::string command = "espalier compare " + simulated.words.text();
  if (simulated.traces) command += " --environment " + shell_word(simulated.traces->file);
  return command;
}

std::string compare_title(const Simulated& simulated, const Ink& ink) {
  return title(
      simulated.scenario, simulated.problem.goal(),
      fmt::format("strategies compared {}, {}", realisations_text(simulated), loop_text(simulated)),
      ink);
}

}  // namespace

std::string simulation_text(const SimulationReport& report, const Ink& ink) {
  const Simulated& simulated = report.simulated;
  const SimulationSummary& s = report.summary;
  std::string text =
      title(simulated.scenario, simulated.problem.goal(),
            fmt::format("{} simulated, {}", report.strategy, loop_text(simulated)), ink) +
      verdict_line(reached_line(report), reached_style(s), ink) + "\n";
  text += s.runs > 1 ? spreads_text(s, ink) : outcome_text(s);
  text += fmt::format("\n  per run: {:.3g} switches, {:.3g} plans, {:.3g} of them last resorts\n",
                      s.switches_mean, s.plans_mean, s.fallbacks_mean);
  text += detail_text(report, ink);
  std::vector<std::string> notes = notes_of(simulated, s);
  if (report.detail.size() > kMostRunsShown) {
    notes.push_back(fmt::format("the first {} runs shown; --format json has all", kMostRunsShown));
  }
  if (s.reached < s.runs && s.runs > 1)
    notes.push_back("figures are over all runs, missed ones included");
  std::vector<std::string> next{compare_command(simulated)};
  if (s.without_plan > 0) next.insert(next.begin(), "espalier plan " + simulated.words.text());
  return text + notes_text(notes, ink) + next_text(next, ink);
}

std::string compare_text(const CompareReport& report, const Ink& ink) {
  const EnergyScale scale(largest_energy(report.comparison));
  Table table(compare_columns(report.simulated.luck));
  const auto& clairvoyant = report.comparison.clairvoyant;
  table.add(clairvoyant && clairvoyant->runs > 0
                ? clairvoyant_row(*clairvoyant, scale)
                : optimum_row(report.simulated, report.comparison.optimum, scale));
  table.add_rule();
  for (const CompareRow& row : report.comparison.rows) table.add(compare_row(report, row, scale));
  return compare_title(report.simulated, ink) + "\n" + table.text(ink) +
         notes_text(compare_notes(report), ink) +
         next_text({"espalier plan " + report.simulated.words.text(),
                    compare_command(report.simulated) + " --sweep goal.loss=FROM:TO:STEP"},
                   ink);
}

}  // namespace espalier
