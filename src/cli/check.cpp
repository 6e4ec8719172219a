// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "core/error.h"
#include "io/scenario_file.h"
#include "render/check_report.h"

namespace espalier {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> settings;
};

ExitCode check(const CheckOptions& options, const Console& console) {
  if (options.files.empty()) {
    throw Error(ErrorCode::BadInput, "check needs a scenario file", "espalier check FILE…");
  }
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  CheckReport report;
  for (const std::string& file : options.files) {
    ScenarioReading reading = read_scenario_file(file, settings);
    report.files.push_back({file, std::move(reading.scenario), std::move(reading.diagnostics)});
  }
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
      "Names every problem with file, line, and what to write instead.\nExit code 0: fine; 4: "
      "errors.");
}

}  // namespace espalier
