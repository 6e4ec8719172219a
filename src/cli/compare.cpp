// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/comparing.h"
#include "cli/environment.h"
#include "cli/interruption.h"
#include "cli/suitability.h"
#include "courses/data_choice.h"
#include "realisations/truth.h"
#include "render/figures.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

struct CompareOptions {
  InputOptions input;
  PlannerChoice planner;
  LuckOptions luck;
  std::string environment;
  std::string strategies;
  std::string sweep;
};

// Enumeration is for tiny cases: only where it is asked for. Promises are for where there is luck,
// and where there is data to choose from, those who cannot are left out.
std::vector<const Strategy*> usual_strategies(const ComparePoint& point) {
  const bool has_luck = has_noise(point.environment.actual()) || has_noise(point.input.estimated);
  const bool has_choice = has_data_choice(point.input.estimated);
  std::vector<const Strategy*> all;
  for (const Strategy* strategy : all_strategies()) {
    const StrategyInfo& info = strategy->info();
    if (info.tiny_only || (has_choice && !info.chooses_data)) continue;
    if (info.promises && !has_luck && !has_choice) continue;
    all.push_back(strategy);
  }
  return all;
}

// Who does not decide anew.
std::optional<std::string> note_on_commitment(const std::vector<const Strategy*>& strategies) {
  std::string names;
  for (const Strategy* strategy : strategies) {
    if (strategy->info().commits) names += (names.empty() ? "" : ", ") + strategy->info().name;
  }
  if (names.empty()) return std::nullopt;
  return names + ": follow their first plan to its end, as promised";
}

using Traces = std::shared_ptr<const TraceFile>;

ComparePoint point_of(const CompareOptions& options, const Traces& traces,
                      const std::vector<Setting>& extra) {
  Input input = load_input(options.input, extra);
  Environment environment(input, traces);
  return {std::move(input), std::move(environment)};
}

std::vector<ComparePoint> points_of(const CompareOptions& options, const Sweep& sweep) {
  const Traces traces = load_environment(options.environment);
  std::vector<ComparePoint> points;
  for (const double value : sweep.values)
    points.push_back(point_of(options, traces, {{sweep.key, exact_figure(value)}}));
  if (points.empty()) points.push_back(point_of(options, traces, {}));
  return points;
}

const char* optimum_note(const Environment& environment) {
  if (environment.traced() != nullptr)
    return "optimum: the least energy for someone who knows the traces of every run in advance";
  return environment.luck() == Luck::None
             ? "optimum: the least energy for someone who knows the true learning rules"
             : "optimum: the least energy for someone who knows the luck of every run in "
               "advance; on the same runs";
}

std::vector<std::string> notes_of(const CompareOptions& options, const Environment& environment) {
  std::vector<std::string> notes = environment.notes(options.luck);
  notes.emplace_back(optimum_note(environment));
  notes.push_back(environment.source());
  return notes;
}

bool has_run(const CompareRow& row) { return row.summary.runs > 0; }

// Of a comparison that was stopped, only what had a turn is shown.
void drop_without_run(Comparison& comparison, std::vector<std::string>& notes) {
  std::string names;
  for (const CompareRow& row : comparison.rows) {
    if (!has_run(row)) names += (names.empty() ? "" : ", ") + row.strategy;
  }
  std::erase_if(comparison.rows, std::not_fn(has_run));
  notes.push_back(names.empty() ? "stopped early" : "stopped early, before any run of " + names);
}

// Likewise, goals that some strategy has not tried yet, but for the first one.
void drop_incomplete(SweepReport& report) {
  drop_without_run(report.comparisons.front(), report.simulated.notes);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < report.values.size(); ++i) {
    const auto& rows = report.comparisons[i].rows;
    if (!std::all_of(rows.begin(), rows.end(), has_run)) continue;
    report.values[kept] = report.values[i];
    report.comparisons[kept++] = std::move(report.comparisons[i]);
  }
  report.values.resize(kept);
  report.comparisons.resize(kept);
}

ExitCode exit_of(const std::vector<Comparison>& comparisons, const Interruption& interruption) {
  if (interruption.by_user()) return ExitCode::Stopped;
  const bool some_goal_is_reachable = std::any_of(
      comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.is_reachable(); });
  return some_goal_is_reachable ? ExitCode::Done : ExitCode::Infeasible;
}

ExitCode compare(const CompareOptions& options, const Console& console) {
  CompareWork work;
  work.planning = planner_options(options.planner);
  const Sweep sweep = options.sweep.empty() ? Sweep{} : parse_sweep(options.sweep);
  const std::vector<ComparePoint> points = points_of(options, sweep);
  work.strategies = options.strategies.empty() ? usual_strategies(points.front())
                                               : parse_strategies(options.strategies);
  for (const Strategy* strategy : work.strategies)
    refuse_unsuitable(points.front().input.scenario, strategy->info());
  const Environment& environment = points.front().environment;
  work.simulation = environment.simulation(options.luck);

  const Interruption interruption;
  std::vector<Comparison> comparisons = compare_strategies(points, work, interruption);
  const ExitCode exit = exit_of(comparisons, interruption);
  const Input& input = points.front().input;
  Simulated simulated{input.scenario,     environment.believed(),         work.simulation,
                      environment.luck(), notes_of(options, environment), input.words,
                      environment.truth()};
  if (const auto note = note_on_commitment(work.strategies)) simulated.notes.push_back(*note);
  const bool json = console.format() == Format::Json;
  if (options.sweep.empty()) {
    CompareReport report{simulated, std::move(comparisons.front())};
    if (interruption.by_user()) drop_without_run(report.comparison, report.simulated.notes);
    console.answer(json ? compare_document(report) : compare_text(report, console.ink()));
  } else {
    SweepReport report{simulated, sweep.key, sweep.values, std::move(comparisons)};
    if (interruption.by_user()) drop_incomplete(report);
    console.answer(json ? sweep_document(report) : sweep_text(report, console.ink()));
  }
  return exit;
}

}  // namespace

void add_compare_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "all strategies side by side, against the optimum");
  add_input_options(*command, options->input);
  command
      ->add_option("--strategies", options->strategies,
                   "which, with commas between; all quick ones if absent")
      ->type_name("A,B,…")
      ->group("Planning");
  add_planner_options(*command, options->planner);
  add_luck_options(*command, options->luck);
  add_environment_option(*command, options->environment);
  command->add_option("--sweep", options->sweep, "for many values, as in goal.loss=0.15:0.45:0.05")
      ->type_name("KEY=FROM:TO:STEP")
      ->group("Simulation");
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return compare(*options, console); };
  });
  command->footer(
      "Every strategy decides anew after every epoch, from what it observes of the truth.\n\n"
      "Examples:\n"
      "  espalier compare factory.yaml\n"
      "  espalier compare factory.yaml --strategies exact,pact --bias L=+0.1 --bias S=-0.1\n"
      "  espalier compare factory.yaml --sweep goal.loss=0.15:0.45:0.05\n"
      "  espalier compare factory-loop.yaml --environment traces.csv\n\n"
      "Exit codes: 0 done; 6 no plan can reach the goal.");
}

}  // namespace espalier
