// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <filesystem>
#include <thread>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "cli/collect_progress.h"
#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/trainer_program.h"
#include "core/error.h"
#include "experiments/collector.h"
#include "experiments/inventory.h"
#include "experiments/setup.h"
#include "io/durable_write.h"
#include "io/scenario_writer.h"
#include "io/trace_file.h"
#include "io/wording.h"
#include "render/collect_report.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostWorkers = 256;

struct CollectOptions {
  std::string file;
  std::vector<std::string> settings;
  std::string output;
  std::string trainer;
  std::string times;
  unsigned workers = 0;
  int attempts = CollectorOptions{}.attempts;
  bool dry_run = false;
  bool assemble = false;
  bool keep_networks = false;
  bool expand = false;
};

Scenario load_grid(const CollectOptions& options) {
  if (options.file.empty()) {
    throw Error(ErrorCode::BadInput, "collect needs a scenario file", "espalier collect FILE");
  }
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  Scenario scenario = load_scenario(options.file, settings);
  if (scenario.collect) return scenario;
  throw Error(ErrorCode::BadInput, "'" + shown(options.file) + "' has no collect section",
              "say which experiments to make: collect: {seeds: [1], sequences: [[gold]]}");
}

std::vector<std::string> node_set_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const NodeSetSpec& set : scenario.node_sets) names.push_back(set.name);
  return names;
}

unsigned workers_of(const CollectOptions& options) {
  return options.workers > 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency());
}

// What is there, and what is known of how long epochs take.
Inventory inventory_of(const CollectOptions& options, const Scenario& scenario,
                       const ExperimentTree& tree, const TraceFolder& folder) {
  Inventory there = take_inventory(tree, folder, scenario);
  if (options.times.empty()) return there;
  if (!there.times.take_from(load_traces(options.times), scenario))
    throw Error(
        ErrorCode::BadInput,
        "'" + shown(options.times) + "' has no epoch of these node sets with so many samples",
        "--times wants traces of the same experiments");
  return there;
}

std::string source_text(StepTimes::Source source, const std::string& traces) {
  switch (source) {
    case StepTimes::Source::Nothing:
      return {};
    case StepTimes::Source::RunTable:
      return "the run table";
    case StepTimes::Source::OtherTraces:
      return traces;
    case StepTimes::Source::OwnEpochs:
      return "the epochs that are there";
  }
  return {};
}

CollectOutline outline_of(const CollectOptions& options, const Scenario& scenario,
                          const ExperimentTree& tree, const TraceFolder& folder,
                          const Inventory& there) {
  const unsigned workers = workers_of(options);
  const Agenda agenda(tree, there.stock);
  CollectOutline outline{.scenario = scenario.name,
                         .folder = folder.root().string(),
                         .experiments = static_cast<std::int64_t>(tree.experiments.size()),
                         .epochs_separately = tree.epochs_separately(),
                         .epochs = tree.epochs_shared(),
                         .saved = tree.saved(),
                         .epochs_known = there.epochs_known,
                         .time_left = {},
                         .times_from = source_text(there.times.source(), options.times),
                         .may_end_early = scenario.collect->last_loss > 0,
                         .workers = workers};
  std::vector<int> left;
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    left.push_back(agenda.steps_left({static_cast<std::int32_t>(i)}));
    if (tree.branches[i].kind == Branch::Kind::Training) outline.epochs_left += left.back();
  }
  if (const auto time = time_left(tree, left, there.times))
    outline.time_left = *time * (1.0 / workers);
  return outline;
}

CollectorEnd make_experiments(const CollectOptions& options, const ExperimentTree& tree,
                              const TraceFolder& folder, const Inventory& there,
                              const std::stop_token& stop) {
  CollectorOptions how{.trainer = {}, .workers = workers_of(options), .attempts = options.attempts};
  how.agenda.keeps_networks = options.keep_networks;
  const Agenda agenda(tree, there.stock, how.agenda);
  if (!agenda.is_finished()) how.trainer = trainer_program(options.trainer);
  CollectProgress progress(tree, agenda, there.times);
  return collect(tree, folder, there.stock, how, stop,
                 [&](BranchId branch, const TraceRow& row) { progress.add(branch, row); });
}

// A disk that is full is to be an error like others, not the end of the process.
void survive_full_disks() { std::signal(SIGXFSZ, SIG_IGN); }

CollectReport::State state_after(CollectorEnd end) {
  return end == CollectorEnd::Finished ? CollectReport::State::Finished
                                       : CollectReport::State::Stopped;
}

CollectReport carry_out(const CollectOptions& options, const Scenario& scenario,
                        const ExperimentTree& tree, const TraceFolder& folder,
                        const Console& console) {
  survive_full_disks();
  const Interruption interruption;
  const FolderLock lock(folder);
  keep_setup(setup_of(scenario), folder);
  write_durably(folder.file("scenario.yaml"), to_yaml(scenario));
  const Inventory there = inventory_of(options, scenario, tree, folder);
  CollectReport report;
  report.outline = outline_of(options, scenario, tree, folder, there);
  if (console.format() == Format::Table) console.remark(outline_text(report.outline, Ink::none()));
  report.state = CollectReport::State::Assembled;
  if (!options.assemble)
    report.state =
        state_after(make_experiments(options, tree, folder, there, interruption.token()));
  report.traces = folder.file("traces.csv").string();
  report.assembled = write_traces(tree, folder, scenario, report.traces);
  if (options.expand) {
    report.experiments = folder.file("experiments.csv").string();
    write_experiments(tree, folder, scenario, report.experiments);
  }
  return report;
}

CollectReport only_plan(const CollectOptions& options, const Scenario& scenario,
                        const ExperimentTree& tree, const TraceFolder& folder) {
  check_setup(setup_of(scenario), folder);
  const Inventory there = inventory_of(options, scenario, tree, folder);
  CollectReport report;
  report.outline = outline_of(options, scenario, tree, folder, there);
  return report;
}

ExitCode collect_traces(const CollectOptions& options, const Console& console) {
  if (options.workers > kMostWorkers)
    throw Error(ErrorCode::BadInput, "--workers must be at most 256", "leave it out: one per core");
  const Scenario scenario = load_grid(options);
  const ExperimentTree tree = grow_tree(*scenario.collect, node_set_names(scenario));
  const TraceFolder folder(options.output.empty() ? scenario.name + "-traces" : options.output);
  const CollectReport report = options.dry_run
                                   ? only_plan(options, scenario, tree, folder)
                                   : carry_out(options, scenario, tree, folder, console);
  console.answer(console.format() == Format::Json ? collect_document(report)
                                                  : collect_text(report, console.ink()));
  return report.state == CollectReport::State::Stopped ? ExitCode::Stopped : ExitCode::Done;
}

void add_collect_options(CLI::App& command, CollectOptions& options) {
  command.add_option("FILE", options.file, "the scenario")->type_name("");
  command
      .add_option("--set", options.settings,
                  "change a value, as in collect.last_epochs=20; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command.add_option("--output", options.output, "folder for all results; NAME-traces if absent")
      ->type_name("DIR");
  command
      .add_option("--times", options.times,
                  "traces of the same experiments, for an estimate before the first epoch")
      ->type_name("FILE");
  command.add_option("--workers", options.workers, "trainers at a time; one per core if absent")
      ->type_name("N");
  command
      .add_option("--attempts", options.attempts,
                  "give up when trainers die so often at the same work; 3 if absent")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N");
  command.add_flag("--dry-run", options.dry_run, "say what would be done, and do nothing");
  command.add_flag("--assemble", options.assemble,
                   "write the traces of what is there, and train nothing");
  command.add_flag("--expand", options.expand,
                   "also write every experiment as a whole, to experiments.csv");
  command.add_flag("--keep-networks", options.keep_networks,
                   "keep networks that a larger grid could go on from");
  command
      .add_option("--trainer", options.trainer,
                  "the program that trains; espalier-trainer if absent")
      ->type_name("PROGRAM");
}

}  // namespace

void add_collect_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<CollectOptions>();
  CLI::App* command = app.add_subcommand("collect", "train for real, and collect loss traces");
  add_collect_options(*command, *options);
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return collect_traces(*options, console); };
  });
  command->footer(
      "Makes the experiments of the scenario's collect section. What several of them begin with "
      "is\n"
      "trained once. Stop it at any time: the same command goes on.\n\n"
      "Examples:\n"
      "  espalier collect factory.yaml --dry-run\n"
      "  espalier collect factory.yaml --output traces --workers 2\n\n"
      "Exit codes: 0 all there; 1 failed; 2 somebody else collects there; 4 bad input; 7 Ctrl-C.");
}

}  // namespace espalier
