// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "cli/strategy_help.h"
#include "render/figures.h"
#include "studies/compare_study.h"
#include "studies/environment.h"
#include "studies/suitability.h"

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

bool was_run(const CompareRow& row) { return row.summary.runs > 0; }

// Goals that some strategy has not tried yet are dropped, but for the first one.
void drop_incomplete(SweepReport& report) {
  drop_without_run(report.comparisons.front(), report.simulated.notes);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < report.values.size(); ++i) {
    const auto& rows = report.comparisons[i].rows;
    if (!std::all_of(rows.begin(), rows.end(), was_run)) continue;
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
  if (is_plea_for_help(options.strategies)) return list_strategies(console);
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
  Progress progress("comparing", work.run_count(points.size()));
  work.on_run = [&] { progress.add_one(); };
  std::vector<Comparison> comparisons = compare_strategies(points, work, interruption.token());
  const ExitCode exit = exit_of(comparisons, interruption);
  const Simulated simulated =
      simulated_at(points.front(), work, compare_notes(environment, options.luck, work.strategies));
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
