// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "cli/strategy_help.h"
#include "render/simulation_report.h"
#include "strategies/registry.h"
#include "studies/environment.h"
#include "studies/suitability.h"

namespace espalier {
namespace {

struct SimulateOptions {
  InputOptions input;
  PlannerChoice planner;
  LuckOptions luck;
  std::string environment;
  std::string strategy = "exact";
  bool open_loop = false;
  bool detail = false;
};

std::vector<RunRecord> run_all(const World& world, const Strategy& strategy,
                               const PlannerOptions& planning, const SimulationOptions& options,
                               const Interruption& interruption) {
  Progress progress("simulating " + strategy.info().name, options.runs);
  return simulate_runs(world, strategy, planning, options, interruption.token(),
                       [&](std::size_t) { progress.add_one(); });
}

ExitCode exit_of(const SimulationSummary& summary, const Interruption& interruption) {
  if (interruption.by_user()) return ExitCode::Stopped;
  return summary.reached > 0 ? ExitCode::Done : ExitCode::GoalMissed;
}

ExitCode simulate(const SimulateOptions& options, const Console& console) {
  if (is_plea_for_help(options.strategy)) return list_strategies(console);
  const Strategy& strategy = strategy_of(options.strategy, options.planner);
  const PlannerOptions planning = planner_options(options.planner);
  const Input input = load_input(options.input);
  refuse_unsuitable(input.scenario, strategy.info());
  const Environment environment(input, load_environment(options.environment));
  const Luck luck = environment.luck();
  SimulationOptions simulation = environment.simulation(options.luck);
  simulation.run.loop = options.open_loop || strategy.info().commits ? Loop::Open : Loop::Closed;

  const Interruption interruption;
  auto records = run_all({environment.believed(), environment.reality(), environment.outlook()},
                         strategy, planning, simulation, interruption);
  SimulationReport report{{input.scenario, environment.believed(), simulation, luck,
                           environment.notes(options.luck), input.words, environment.truth()},
                          strategy.info().name,
                          summarise(records, luck),
                          {}};
  if (records.size() < simulation.runs) report.simulated.notes.push_back("stopped early");
  if (options.detail) report.detail = std::move(records);
  console.answer(console.format() == Format::Json ? simulation_document(report)
                                                  : simulation_text(report, console.ink()));
  return exit_of(report.summary, interruption);
}

}  // namespace

void add_simulate_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "let a strategy meet the truth, many times");
  add_input_options(*command, options->input);
  command->add_option("--strategy", options->strategy, "how to decide; exact if absent")
      ->type_name("NAME")
      ->group("Planning");
  add_planner_options(*command, options->planner);
  add_luck_options(*command, options->luck);
  add_environment_option(*command, options->environment);
  command
      ->add_flag("--open-loop", options->open_loop,
                 "follow the first plan to its end, whatever is observed")
      ->group("Simulation");
  command->add_flag("--detail", options->detail, "show the runs one by one")->group("Simulation");
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return simulate(*options, console); };
  });
  command->footer(
      "Examples:\n"
      "  espalier simulate factory.yaml --strategy pact --runs 1000\n"
      "  espalier simulate factory.yaml --bias L=+0.2 --detail\n"
      "  espalier simulate factory-loop.yaml --strategy pact --environment traces.csv\n\n"
      "Exit codes: 0 at least one run reached the goal; 3 none did; 7 Ctrl-C.");
}

}  // namespace espalier
