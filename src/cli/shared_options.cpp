// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "core/error.h"
#include "strategies/registry.h"

namespace espalier {

void add_output_options(CLI::App& command, OutputOptions& options) {
  command.add_option("--format", options.format, "table for people, json for machines")
      ->check(CLI::IsMember({"table", "json"}).description(""))
      ->type_name("table|json")
      ->group("Output");
  command.add_option("--color", options.color, "colour: on a terminal only, always, or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("auto|always|never")
      ->group("Output");
}

void add_input_options(CLI::App& command, InputOptions& options) {
  command.add_option("FILE", options.file, "the scenario")->type_name("");
  command.add_option("--set", options.settings, "change a value, as in goal.loss=0.2; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE")
      ->group("Scenario");
  command
      .add_option("--bias", options.biases,
                  "believe a model learns faster than it does, as in L=+0.1")
      ->allow_extra_args(false)
      ->type_name("MODEL=SHARE")
      ->group("Scenario");
  command
      .add_option("--fitted", options.fitted,
                  "believe what 'espalier fit' wrote, anew after every epoch")
      ->type_name("FILE")
      ->group("Scenario");
}

void add_planner_options(CLI::App& command, PlannerChoice& choice) {
  command
      .add_option("--estimator", choice.estimator,
                  "which estimate to believe; the strategy's own if absent")
      ->type_name("expected|robust")
      ->group("Planning");
  command
      .add_option("--loss-step", choice.loss_step, "pact: resolution of the loss; 0 chooses one")
      ->type_name("LOSS")
      ->group("Planning");
  command
      .add_option("--time-step", choice.time_step, "pact: resolution of the time; 0 chooses one")
      ->type_name("SECONDS")
      ->group("Planning");
  command
      .add_flag("--no-risk", choice.ignores_risk,
                "pact: do not weigh what undoing a switch would cost")
      ->group("Planning");
  command
      .add_option("--irreversible-risk", choice.irreversible_risk,
                  "pact: risk factor where a switch cannot be undone")
      ->type_name("FACTOR")
      ->group("Planning");
  command
      .add_option("--margin", choice.margin,
                  "expectation: aim this much lower; auto: as much as it takes")
      ->type_name("LOSS|auto")
      ->group("Planning");
}

void add_luck_options(CLI::App& command, LuckOptions& options) {
  command
      .add_option("--runs", options.runs, "realisations; 100 if absent, 1 where nothing is random")
      ->type_name("N")
      ->group("Simulation");
  command
      .add_option("--seed", options.seed,
                  "of the luck, 1 if absent; all strategies meet the same luck")
      ->type_name("S")
      ->group("Simulation");
}

void add_environment_option(CLI::App& command, std::string& path) {
  command
      .add_option("--environment", path, "take the truth from traces; the scenario's own if absent")
      ->type_name("TRACES.csv")
      ->group("Simulation");
}

const Strategy& strategy_of(const std::string& name, const PlannerChoice& choice) {
  const bool has_margin = !choice.margin.empty();
  if (has_margin && !name.starts_with("expectation")) {
    throw Error(ErrorCode::BadInput, "--margin goes with --strategy expectation only",
                "leave it out, or write --strategy expectation --margin auto");
  }
  return strategy_named(has_margin ? "expectation-margin" : name);
}

PlannerOptions planner_options(const PlannerChoice& choice) {
  const auto demand = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorCode::BadInput, what, "leave it out for the default");
  };
  demand(std::isfinite(choice.loss_step) && choice.loss_step >= 0,
         "--loss-step must be a number ≥ 0");
  demand(std::isfinite(choice.time_step) && choice.time_step >= 0,
         "--time-step must be a number ≥ 0");
  demand(std::isfinite(choice.irreversible_risk) && choice.irreversible_risk >= 1,
         "--irreversible-risk must be a number ≥ 1");
  PlannerOptions options;
  if (!choice.estimator.empty()) options.estimator = parse_estimator(choice.estimator);
  options.loss_step = Loss{choice.loss_step};
  options.time_step = Seconds{choice.time_step};
  options.weighs_risk = !choice.ignores_risk;
  options.irreversible_risk = choice.irreversible_risk;
  if (!choice.margin.empty() && choice.margin != "auto")
    options.margin = parse_margin(choice.margin);
  return options;
}

}  // namespace espalier
