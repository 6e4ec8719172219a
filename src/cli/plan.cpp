// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/picture.h"
#include "cli/strategy_help.h"
#include "core/error.h"
#include "render/plan_report.h"
#include "render/policy_json.h"
#include "strategies/policy.h"
#include "strategies/registry.h"
#include "studies/plan_study.h"
#include "studies/suitability.h"

namespace espalier {
namespace {

struct PlanOptions {
  InputOptions input;
  PlannerChoice planner;
  PictureOptions picture;
  std::string strategy = "exact";
  std::string time_limit;
  std::string frontier;     // deadline, loss, or empty
  std::string policy_file;  // where to write the policy, or empty
  bool explain = false;
};

// Everything that the parts of the command need. Borrowed.
struct Work {
  const PlanOptions& options;
  PlanStudy study;
  const Interruption& interruption;
};

// --- the plan
// ----------------------------------------------------------------------------------------

ExitCode exit_of(const Work& work, const PlanReport& report) {
  if (work.interruption.by_user()) return ExitCode::Stopped;
  if (report.result.verdict == Verdict::Infeasible) return ExitCode::Infeasible;
  return reaches_goal(work.study, report.result) ? ExitCode::Done : ExitCode::GoalMissed;
}

void export_policy(const Work& work, const Planner& planner, PlanReport& report,
                   const Console& console) {
  if (const auto table = exported_policy(planner)) {
    put(work.options.policy_file, policy_document(work.study.input.estimated, *table), console);
  } else {
    report.notes.push_back("a fixed plan is followed here, so there is no policy to export");
  }
}

ExitCode plan_once(const Work& work, const Console& console) {
  const PlanStudy& study = work.study;
  const auto planner = study.strategy.planner(study.input.estimated, study.planning);
  PlanReport report = study_plan(study, *planner, work.interruption.token());
  if (!work.options.policy_file.empty()) export_policy(work, *planner, report, console);
  const PictureTargets drawn = draw_plan(work.options.picture, report, study.planning, console);
  if (drawn == PictureTargets::Stdout) return exit_of(work, report);
  console.answer(console.format() == Format::Json ? plan_document(report)
                                                  : plan_text(report, console.ink()));
  return exit_of(work, report);
}

// --- the frontier
// --------------------------------------------------------------------------------------

ExitCode show_frontier(const Work& work, const Console& console) {
  if (work.options.strategy != PlanOptions{}.strategy || work.options.explain ||
      work.options.picture.graph) {
    throw Error(
        ErrorCode::BadInput,
        "a frontier is made of optimal plans and goes without --strategy, --explain and --graph",
        "espalier plan FILE --frontier deadline");
  }
  const FrontierReport report =
      study_frontier(work.study, parse_axis(work.options.frontier), work.interruption.token());
  const PictureTargets drawn = draw_frontier(work.options.picture, report, console);
  if (drawn == PictureTargets::Files) {
    console.answer(console.format() == Format::Json ? frontier_document(report)
                                                    : frontier_text(report, console.ink()));
  }
  if (work.interruption.by_user()) return ExitCode::Stopped;
  return report.frontier.points.empty() ? ExitCode::Infeasible : ExitCode::Done;
}

// --- the command
// ---------------------------------------------------------------------------------------

std::optional<std::chrono::duration<double>> limit_of(const PlanOptions& options) {
  if (options.time_limit.empty()) return std::nullopt;
  return std::chrono::duration<double>(parse_time("--time-limit", options.time_limit).value);
}

ExitCode plan(const PlanOptions& options, const Console& console) {
  if (is_plea_for_help(options.strategy)) return list_strategies(console);
  const Strategy& strategy = strategy_of(options.strategy, options.planner);
  const PlannerOptions planning = planner_options(options.planner);
  const auto limit = limit_of(options);
  check_picture_options(options.picture, console);
  if (!options.policy_file.empty() && strategy.info().name != "policy") {
    throw Error(ErrorCode::BadInput, "--export goes with --strategy policy only",
                "espalier plan FILE --strategy policy --export policy.json");
  }
  const Input input = load_input(options.input);
  refuse_unsuitable(input.scenario, strategy.info());
  const Interruption interruption(limit);
  const PlanStudy study{input, strategy, planning, {.reasons = options.explain}};
  const Work work{options, study, interruption};
  return options.frontier.empty() ? plan_once(work, console) : show_frontier(work, console);
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  command
      .add_option("--svg", options.svg,
                  "draw the plan (or the frontier) into this file; - is stdout")
      ->type_name("FILE")
      ->group("Output");
  command.add_option("--dot", options.dot, "the plan as a graph for Graphviz; - is stdout")
      ->type_name("FILE")
      ->group("Output");
  command
      .add_flag("--graph", options.graph, "let --svg and --dot draw all states of a small problem")
      ->group("Output");
}

}  // namespace

void add_plan_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* command =
      app.add_subcommand("plan", "find the plan that reaches the goal with least energy");
  add_input_options(*command, options->input);
  command
      ->add_option("--strategy", options->strategy,
                   "how to decide; exact if absent; 'help' describes each")
      ->type_name("NAME")
      ->group("Planning");
  add_planner_options(*command, options->planner);
  command
      ->add_option("--time-limit", options->time_limit,
                   "stop then, with the best plan so far, as in '5 min'")
      ->type_name("TIME")
      ->group("Planning");
  command->add_flag("--explain", options->explain, "say why each stage is there");
  command
      ->add_option("--frontier", options->frontier,
                   "least energy for every deadline, or for every target loss")
      ->type_name("deadline|loss");
  add_picture_options(*command, options->picture);
  command->add_option("--export", options->policy_file, "policy: write its table into this file")
      ->type_name("FILE")
      ->group("Output");
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return plan(*options, console); };
  });
  command->footer(
      "Examples:\n"
      "  espalier plan factory.yaml\n"
      "  espalier plan factory.yaml --explain --svg plan.svg\n"
      "  espalier plan factory.yaml --strategy pact --loss-step 0.01\n"
      "  espalier plan factory.yaml --strategy depl --set goal.probability=0.99\n"
      "  espalier plan factory.yaml --set goal.loss=0.2 --frontier deadline\n"
      "  espalier plan factory.yaml --format json | jq .data.energy\n\n"
      "Exit codes: 0 the plan reaches the goal; 3 none was found in time; 6 none can reach it;\n"
      "            7 stopped by Ctrl-C");
}

}  // namespace espalier
