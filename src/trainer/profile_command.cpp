// SPDX-License-Identifier: Apache-2.0
#include "trainer/profile_command.h"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "cli/interruption.h"
#include "cli/progress.h"
#include "core/error.h"
#include "io/durable_write.h"
#include "io/scenario_file.h"
#include "io/scenario_writer.h"
#include "io/wording.h"
#include "render/command_words.h"
#include "trainer/profile_report.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string file;
  std::vector<std::string> settings;
  std::string output;
  std::string traces = "traces.csv";
  std::size_t images = TrainingLaboratory::Trial{}.images;
  int repetitions = TrainingLaboratory::Trial{}.repetitions;
  bool force = false;
};

Scenario load(const Options& options) {
  if (options.file.empty())
    throw Error(ErrorCode::BadInput, "profile needs a scenario file", "espalier profile FILE");
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  Scenario scenario = load_scenario(options.file, settings);
  if (scenario.training) return scenario;
  throw Error(ErrorCode::BadInput, "'" + shown(options.file) + "' has no training section",
              "say what is trained: training: {network: vgg11, dataset: cifar10, nodes: {…}}");
}

fs::path output_of(const Options& options) {
  if (!options.output.empty()) return options.output;
  return fs::path(options.file).stem().string() + "-profiled.yaml";
}

void refuse_to_replace(const fs::path& path, const Options& options) {
  if (options.force || !fs::exists(path)) return;
  throw Error(ErrorCode::BadInput, "'" + shown(path.string()) + "' is there already",
              "name another --output, or use --force to replace it");
}

ExitCode run(const Options& options, const ProfileTools& tools, const Console& console) {
  const Scenario scenario = load(options);
  const fs::path output = output_of(options);
  refuse_to_replace(output, options);
  const Interruption interruption;
  const auto laboratory = tools.laboratory(scenario);
  Progress progress("profiling", profile_rows(scenario));
  const ProfileOptions how{
      {options.images, options.repetitions}, interruption.token(), [&] { progress.add_one(); }};
  ProfileReport report{scenario,
                       profile(scenario, *laboratory, tools.clock, how),
                       options.images,
                       options.repetitions,
                       tools.meter,
                       {},
                       {}};
  if (report.profile.complete) {
    write_durably(output, to_yaml(with_costs(scenario, report.profile, options.traces)));
    report.output = output.string();
    report.next = {"espalier check " + report.output};
  }
  console.answer(console.format() == Format::Json ? profile_document(report)
                                                  : profile_text(report, console.ink()));
  return report.profile.complete ? ExitCode::Done : ExitCode::Stopped;
}

}  // namespace

void add_real_profile_command(CLI::App& app, Invocation& call, const ProfileTools& tools) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("profile", "measure what epochs, switches and hand-overs cost");
  command->add_option("FILE", options->file, "a scenario with a training section")->type_name("");
  command
      ->add_option("--set", options->settings,
                   "change a value first, as in training.width=0.25; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command
      ->add_option("--images", options->images,
                   "images of an epoch that are really trained on; 512 if absent")
      ->check(CLI::Range(std::size_t{1}, std::size_t{2'000}).description(""))
      ->type_name("N");
  command
      ->add_option("--repetitions", options->repetitions,
                   "how often each is repeated, after a first one that does not count; 5 if absent")
      ->check(CLI::Range(1, 1'000).description(""))
      ->type_name("N");
  command
      ->add_option("--traces", options->traces,
                   "where `collect` puts how placements learn; traces.csv if absent")
      ->type_name("FILE");
  command
      ->add_option("--output", options->output,
                   "where the scenario with the figures goes; NAME-profiled.yaml if absent")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "replace a file that is there");
  add_output_options(*command, call.output);
  command->callback([options, &call, &tools] {
    call.action = [options, &tools](const Console& console) {
      return run(*options, tools, console);
    };
  });
  command->footer(
      "Trains a slice of an epoch for every placement on this machine, prunes, sends, and writes\n"
      "the `run` and `change` tables. Node sets with a device of the catalogue are modelled. "
      "Every\n"
      "figure says whether it was measured, estimated or modelled.\n\n"
      "Exit codes: 0 done; 1 failed; 4 bad input; 7 Ctrl-C.");
}

}  // namespace espalier
