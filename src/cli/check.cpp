// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "core/error.h"
#include "datasets/registry.h"
#include "estimation/forecaster_file.h"
#include "io/scenario_file.h"
#include "orchestrator/run_setup.h"
#include "outlook/fitted_beliefs.h"
#include "render/check_report.h"
#include "replay/rule_files.h"

namespace espalier {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> settings;
};

// What is wrong with the estimators that the rules name.
std::optional<RuleFault> fault_of_estimators(const Scenario& scenario,
                                             const std::filesystem::path& folder) {
  try {
    if (const auto file = fitted_file_of(scenario))
      FittedBeliefs(scenario, load_forecaster(folder / *file));
  } catch (const Error& error) {
    return RuleFault{"run", error.what(), error.hint()};
  }
  return std::nullopt;
}

// A scenario that collects may name traces that are yet to be collected.
bool is_yet_to_come(const Scenario& scenario, const RuleFault& fault) {
  return scenario.collect && !fault.file.empty() && !std::filesystem::exists(fault.file);
}

Diagnostic told(const Scenario& scenario, const std::string& file, RuleFault fault) {
  Diagnostic diagnostic{.file = file, .key = std::move(fault.key)};
  if (is_yet_to_come(scenario, fault)) {
    diagnostic.severity = Diagnostic::Severity::Warning;
    diagnostic.what = "names " + fault.file.string() + ", which is not there yet";
    diagnostic.hint = "espalier collect " + file;
    return diagnostic;
  }
  diagnostic.what = "cannot be used: " + fault.what;
  diagnostic.hint = std::move(fault.hint);
  return diagnostic;
}

// Of the files that the rules of a scenario are kept in. Traces first: estimators need all others.
std::vector<Diagnostic> rule_file_faults(const Scenario& scenario, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::vector<RuleFault> faults = faults_of_rule_files(scenario, folder);
  if (faults.empty()) {
    if (auto fault = fault_of_estimators(with_rules_read(scenario, folder), folder))
      faults.push_back(std::move(*fault));
  }
  std::vector<Diagnostic> diagnostics;
  for (RuleFault& fault : faults) diagnostics.push_back(told(scenario, file, std::move(fault)));
  return diagnostics;
}

// Data that nodes on this machine would read. A folder may lie on the machine that it is meant for.
std::vector<Diagnostic> dataset_faults(const Scenario& scenario, const std::string& file) {
  if (!scenario.training || names_agents(scenario)) return {};
  const std::string& dataset = scenario.training->dataset;
  try {
    check_dataset_name(dataset);
    return {};
  } catch (const Error& error) {
    const bool is_folder = dataset.find('/') != std::string::npos;
    return {{.severity = is_folder ? Diagnostic::Severity::Warning : Diagnostic::Severity::Error,
             .file = file,
             .key = "training.dataset",
             .what = std::string("cannot be used: ") + error.what(),
             .hint = error.hint()}};
  }
}

CheckedFile checked(const std::string& file, const std::vector<Setting>& settings) {
  ScenarioReading reading = read_scenario_file(file, settings);
  if (reading.scenario) {
    std::vector<Diagnostic> faults = rule_file_faults(*reading.scenario, file);
    for (Diagnostic& fault : dataset_faults(*reading.scenario, file))
      faults.push_back(std::move(fault));
    reading.diagnostics.insert(reading.diagnostics.end(), faults.begin(), faults.end());
    const bool is_usable = std::none_of(faults.begin(), faults.end(), [](const Diagnostic& fault) {
      return fault.severity == Diagnostic::Severity::Error;
    });
    if (!is_usable) reading.scenario.reset();
  }
  return {file, std::move(reading.scenario), std::move(reading.diagnostics)};
}

ExitCode check(const CheckOptions& options, const Console& console) {
  if (options.files.empty()) {
    throw Error(ErrorCode::BadInput, "check needs a scenario file", "espalier check FILE…");
  }
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  CheckReport report;
  for (const std::string& file : options.files) report.files.push_back(checked(file, settings));
  console.answer(console.format() == Format::Json ? check_document(report)
                                                  : check_text(report, console.ink()));
  return report.count(Diagnostic::Severity::Error) > 0 ? ExitCode::BadInput : ExitCode::Done;
}

}  // namespace

void add_check_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "find everything that is wrong with scenario files");
  command->add_option("FILE", options->files, "scenarios")->type_name("");
  command
      ->add_option("--set", options->settings,
                   "change a value first, as in goal.loss=0.2; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return check(*options, console); };
  });
  command->footer(
      "Names every problem with file, line, and what to write instead. Also opens the files that\n"
      "learning rules are kept in, and knows the names of data sets.\nExit code 0: fine; 4: "
      "errors.");
}

}  // namespace espalier
