// SPDX-License-Identifier: Apache-2.0
// Every command: one file each, and one line here and in cli.cpp.
#pragma once

#include <functional>

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/input.h"
#include "studies/luck_options.h"

namespace CLI {
class App;
}

namespace espalier {

// What the command line asks for, once it is read.
struct Invocation {
  OutputOptions output;
  std::function<ExitCode(const Console&)> action;
};

// Each adds one subcommand to `app` that sets the action of `call`, which must outlive the app.
void add_init_command(CLI::App& app, Invocation& call);
void add_check_command(CLI::App& app, Invocation& call);
void add_plan_command(CLI::App& app, Invocation& call);
void add_compare_command(CLI::App& app, Invocation& call);
void add_simulate_command(CLI::App& app, Invocation& call);
void add_collect_command(CLI::App& app, Invocation& call);
void add_reproduce_command(CLI::App& app, Invocation& call);
void add_status_command(CLI::App& app, Invocation& call);
void add_logs_command(CLI::App& app, Invocation& call);
void add_stop_command(CLI::App& app, Invocation& call);
void add_export_command(CLI::App& app, Invocation& call);
void add_cert_command(CLI::App& app, Invocation& call);
void add_serve_command(CLI::App& app, Invocation& call);
// Those that the trainer and the orchestrator carry out.
void add_handed_on_commands(CLI::App& app, Invocation& call);

// How a strategy is asked to plan, as people say it.
struct PlannerChoice {
  std::string estimator;
  double loss_step = 0;
  double time_step = 0;
  bool ignores_risk = false;
  double irreversible_risk = 1;
  std::string margin;  // auto, or a loss
};

// The strategy of that name; `expectation` with a margin is one of its own.
const Strategy& strategy_of(const std::string& name, const PlannerChoice& choice);

// Throws Error{BadInput} for what makes no sense.
PlannerOptions planner_options(const PlannerChoice& choice);

// Options that several commands share.
void add_output_options(CLI::App& command, OutputOptions& options);
void add_input_options(CLI::App& command, InputOptions& options);
void add_planner_options(CLI::App& command, PlannerChoice& choice);
void add_luck_options(CLI::App& command, LuckOptions& options);
void add_environment_option(CLI::App& command, std::string& path);

}  // namespace espalier
