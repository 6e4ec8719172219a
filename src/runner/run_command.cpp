// SPDX-License-Identifier: Apache-2.0
#include "runner/run_command.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analysis/nearest_goal.h"
#include "certificates/certificate_folder.h"
#include "cli/interruption.h"
#include "cli/strategy_help.h"
#include "cli/trainer_program.h"
#include "core/error.h"
#include "datasets/registry.h"
#include "estimation/forecaster_file.h"
#include "io/durable_write.h"
#include "io/scenario_writer.h"
#include "io/text_file.h"
#include "io/wording.h"
#include "render/plan_report.h"
#include "replay/rule_files.h"
#include "runner/carry_on.h"
#include "studies/suitability.h"
#include "wire/address.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFitted = std::size_t{256} << 20U;
constexpr double kDay = 86400;

struct RunWords {
  InputOptions input;
  RunSettings settings;
  std::string output;
  std::string patience;
  std::string give_up;
  bool yes = false;
  bool anyway = false;
};

// --- what is asked for
// ------------------------------------------------------------------------------

// Letters, digits, dots, dashes and underscores only.
std::string safe_name(std::string name) {
  for (char& letter : name)
    if (!is_wire_name(std::string(1, letter)) && letter != '.') letter = '-';
  return name.substr(0, 40);
}

std::string new_run_name(const std::string& scenario) {
  const auto moment = std::chrono::system_clock::now().time_since_epoch();
  const auto stamp = std::chrono::duration_cast<std::chrono::milliseconds>(moment).count();
  return fmt::format("{}-{:x}", safe_name(scenario), stamp);
}

double seconds_of(const std::string& option, const std::string& text, double otherwise) {
  return text.empty() ? otherwise : parse_time(option, text).value;
}

void refuse_half_addresses(const RunSettings& settings, const Scenario& scenario,
                           const std::string& file) {
  if (!scenario.training) {
    throw Error(ErrorCode::BadInput, "'" + shown(file) + "' does not say what is trained",
                "add a training section: docs/scenario.md tells its keys");
  }
  if (settings.listen.empty() && !settings.certificates.empty())
    throw Error(ErrorCode::BadInput, "--certificates goes with --listen",
                "espalier run FILE --listen 0.0.0.0:4430 --certificates DIR");
  if (!settings.listen.empty() && settings.certificates.empty())
    throw Error(ErrorCode::BadInput, "--listen needs --certificates",
                "'espalier cert init' makes some, in the folder certificates");
  if (settings.listen.empty() && names_agents(scenario))
    throw Error(ErrorCode::BadInput,
                "'" + shown(file) + "' names agents, which come from elsewhere",
                "say where to wait for them: --listen 0.0.0.0:4430 --certificates DIR");
}

Scenario scenario_of(const InputOptions& options) {
  if (options.file.empty())
    throw Error(ErrorCode::BadInput, "a scenario file is needed",
                "'espalier init first-run' writes one that can be run at once");
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  return with_rules_read(load_scenario(options.file, settings),
                         fs::path(options.file).parent_path());
}

// The estimators of the command line, or those that the scenario names.
std::optional<fs::path> fitted_path(const InputOptions& options, const Scenario& scenario) {
  if (!options.fitted.empty()) return fs::path(options.fitted);
  const auto named = fitted_file_of(scenario);
  if (!named) return std::nullopt;
  return fs::path(options.file).parent_path() / *named;
}

std::string file_bytes_of(const fs::path& path) {
  auto text = read_text_file(path, kLargestFitted);
  if (const auto* fault = std::get_if<FileFault>(&text))
    throw Error(ErrorCode::BadInput, path.string() + ": " + fault->what, fault->hint);
  return std::get<std::string>(std::move(text));
}

// --- before it begins
// -------------------------------------------------------------------------------

PlanReport first_plan(const LoadedRun& run, const CommandWords& words,
                      const std::stop_token& stop) {
  Adviser adviser(run.setup, run.advising());
  PlanReport report{
      {run.setup.scenario, run.setup.problem, run.strategy().info(), words}, {}, {}, {}, {}, {}, 0};
  const auto begin = std::chrono::steady_clock::now();
  report.result = adviser.plan({run.setup.problem.start(), {}}, {}, stop);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.notes = report.result.notes;
  if (report.result.verdict == Verdict::Infeasible)
    report.nearest =
        nearest_goal(run.setup.problem, report.result.estimator, run.setup.problem.start(), stop);
  return report;
}

bool reaches_goal_by_plan(const PlanReport& report) {
  const PlanResult& result = report.result;
  if (!result.plan) return false;
  if (result.chance) return result.verdict != Verdict::Infeasible;
  const State end = result.plan->end();
  return report.planned.problem.goal().reached(end.loss, end.time);
}

// Whether there is something to read before somebody asks to stop.
bool waits_for_answer(const std::stop_token& stop) {
  constexpr int kLookAgainMs = 50;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!stop.stop_requested())
    if (::poll(&input, 1, kLookAgainMs) > 0) return true;
  return false;
}

bool is_agreed(const RunWords& words, const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  if (words.yes) return true;
  if (::isatty(STDIN_FILENO) != 1) {
    throw Error(ErrorCode::BadInput, "nobody is here to ask whether to proceed",
                "-y begins without asking");
  }
  for (;;) {
    std::cerr << "Proceed? [Y/n] " << std::flush;
    std::string answer;
    if (!waits_for_answer(stop) || !std::getline(std::cin, answer)) return false;
    if (answer.empty() || answer[0] == 'y' || answer[0] == 'Y') return true;
    if (answer[0] != 'n' && answer[0] != 'N') continue;
    std::cerr << "not begun\n";
    return false;
  }
}

void tell_machines(const OutputOptions& output, const Json& line) {
  if (output.format == "jsonl") std::cout << line.dump() << "\n" << std::flush;
}

struct FirstAnswer {
  PlanDecided plan;
  std::optional<ExitCode> refusal;  // the run is not begun
};

// Shows the first plan, and asks whether to proceed.
FirstAnswer ask(const LoadedRun& run, const RunWords& words, const OutputOptions& output) {
  const Interruption interruption;
  const PlanReport report = first_plan(
      run, {words.input.file, words.input.settings, {}, words.input.fitted}, interruption.token());
  FirstAnswer answer{decided(report.result, {}, {}), ExitCode::Stopped};
  if (interruption.by_user()) return answer;
  if (output.format != "jsonl")
    std::cout << plan_page(report, Console(output).ink()) << "\n" << std::flush;
  if (!answer.plan.next) {
    std::cerr
        << "the strategy knows no way to begin; --strategy pact --anyway does what can be done\n";
    tell_machines(output, {{"event", "not-begun"}, {"why", "the strategy knows no way to begin"}});
    answer.refusal = ExitCode::Infeasible;
  } else if (!reaches_goal_by_plan(report) && !words.anyway) {
    std::cerr << "no plan reaches the goal; --anyway does what can be done\n";
    tell_machines(output, {{"event", "not-begun"}, {"why", "no plan reaches the goal"}});
    answer.refusal = ExitCode::Infeasible;
  } else if (is_agreed(words, interruption.token())) {
    answer.refusal.reset();
  }
  return answer;
}

RunDirectory directory_for(const RunWords& words, const Scenario& scenario) {
  if (words.output.empty()) return new_run_directory(safe_name(scenario.name));
  RunDirectory directory{fs::path(words.output)};
  std::error_code unknown;
  if (fs::exists(directory.root(), unknown) && !fs::is_empty(directory.root(), unknown))
    throw Error(ErrorCode::BadInput, "'" + shown(words.output) + "' is there already",
                directory.holds_run() ? "'espalier resume " + words.output + "' goes on with it"
                                      : "choose another --output");
  return directory;
}

// Of a run that failed: it has no journal, or no node ever came, with something that has to be put
// right first.
bool is_nothing_lost(const RunDirectory& directory, const Error& error) {
  if (!fs::exists(directory.journal())) return true;
  if (error.code() != ErrorCode::BadInput) return false;
  const auto events = read_journal(directory.journal()).events;
  return std::ranges::none_of(
      events, [](const RunEvent& event) { return std::holds_alternative<NodeCame>(event.what); });
}

ExitCode run_for_real(RunWords words, const OutputOptions& output) {
  if (is_plea_for_help(words.settings.strategy)) return list_strategies(Console(output));
  strategy_of(words.settings.strategy, words.settings.planner);
  planner_options(words.settings.planner);
  const Scenario scenario = scenario_of(words.input);
  refuse_unmeasured(scenario, words.input.file);
  RunSettings settings = words.settings;
  settings.patience = seconds_of("--patience", words.patience, settings.patience);
  settings.give_up = seconds_of("--give-up", words.give_up, settings.give_up);
  if (settings.patience > kDay || settings.give_up > kDay)
    throw Error(ErrorCode::BadInput, "--patience and --give-up are at most a day");
  refuse_half_addresses(settings, scenario, words.input.file);
  if (settings.listen.empty())
    check_dataset_name(scenario.training->dataset);
  else
    check_address(settings.listen, Port::MayBeChosen);
  settings.run = new_run_name(scenario.name);
  if (!settings.certificates.empty())
    settings.certificates = CertificateFolder(fs::absolute(settings.certificates)).path();
  if (settings.listen.empty()) settings.trainer = trainer_program(settings.trainer);
  const auto fitted = fitted_path(words.input, scenario);
  settings.is_fitted = fitted.has_value();

  const std::string estimators = fitted ? file_bytes_of(*fitted) : "";

  const RunDirectory directory = directory_for(words, scenario);
  directory.make();
  const RunLock lock(directory);
  write_durably(directory.scenario(), to_yaml(scenario));
  if (fitted) write_durably(directory.fitted(), estimators);
  write_durably(directory.settings(), settings_text(settings));
  const auto give_up_folder = [&] {
    std::error_code ignored;
    fs::remove_all(directory.root(), ignored);
  };
  try {
    const LoadedRun run = load_run(directory);
    const FirstAnswer first = ask(run, words, output);
    if (first.refusal) {
      give_up_folder();
      return *first.refusal;
    }
    tell_machines(output, {{"event", "folder"}, {"directory", directory.root().string()}});
    if (output.format != "jsonl")
      std::cout << "run folder: " << directory.root().string() << "\n\n";
    return carry_on(directory, run, {}, output, {first.plan});
  } catch (const Error& error) {
    if (is_nothing_lost(directory, error)) give_up_folder();
    throw;
  }
}

void add_run_options(CLI::App& command, RunWords& words) {
  command.add_option("FILE", words.input.file, "the scenario, with training and run sections")
      ->type_name("");
  command
      .add_option("--set", words.input.settings, "change a value, as in goal.loss=0.2; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE")
      ->group("Scenario");
  command
      .add_option("--fitted", words.input.fitted,
                  "believe what 'espalier fit' wrote, anew after every epoch")
      ->type_name("FILE")
      ->group("Scenario");
  command
      .add_option("--strategy", words.settings.strategy,
                  "how to decide after every epoch; pact if absent")
      ->type_name("NAME")
      ->group("Planning");
  add_planner_options(command, words.settings.planner);
  command.add_option("--seed", words.settings.seed, "of weights and batches; 1 if absent")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 53U).description(""))
      ->type_name("N");
  command.add_flag("-y,--yes", words.yes, "begin without asking");
  command.add_flag("--anyway", words.anyway, "begin though no plan reaches the goal");
  command.add_option("--output", words.output, "folder of the run; runs/NAME-1 if absent")
      ->type_name("DIR");
  command
      .add_option("--listen", words.settings.listen,
                  "wait here for nodes on other machines; without it nodes are started here")
      ->type_name("HOST:PORT")
      ->group("Nodes");
  command
      .add_option("--certificates", words.settings.certificates,
                  "the folder that 'espalier cert init' made")
      ->type_name("DIR")
      ->group("Nodes");
  command
      .add_option("--trainer", words.settings.trainer,
                  "the program of nodes that are started here; espalier-trainer if absent")
      ->type_name("PROGRAM")
      ->group("Nodes");
  command
      .add_option(
          "--patience", words.patience,
          "wait so long for nodes that are to come, and in a round, for those who are late,\n"
          "a tenth of it at least; 30 s if absent")
      ->type_name("TIME")
      ->group("Nodes");
  command
      .add_option("--give-up", words.give_up,
                  "end the run when all nodes have been gone so long; 60 s if absent")
      ->type_name("TIME")
      ->group("Nodes");
  command
      .add_option("--distil", words.settings.distil,
                  "after each pruning, learn so many epochs from the network before it")
      ->check(CLI::Range(0, 1000).description(""))
      ->type_name("N");
}

struct ResumeWords {
  std::string directory;
  std::string listen;
  bool salvage = false;
};

// Nodes may have to call elsewhere from now on.
void listen_at(RunSettings& settings, const std::string& address) {
  if (address.empty()) return;
  if (settings.listen.empty())
    throw Error(ErrorCode::BadInput, "the nodes of this run are on this machine",
                "leave --listen away");
  check_address(address, Port::MayBeChosen);
  settings.listen = address;
}

// What a run without its journal has left, so that nothing is written over it.
void set_aside_remains(const RunDirectory& directory) {
  fs::path aside = directory.root() / "before";
  for (int i = 2; fs::exists(aside); ++i) aside = directory.root() / fmt::format("before-{}", i);
  fs::create_directory(aside);
  for (const fs::path& part : {directory.models(), directory.plan(1).parent_path(),
                               directory.events(), directory.metrics()})
    if (fs::exists(part)) fs::rename(part, aside / part.filename());
  directory.make();
  std::cerr << "the journal is gone; what it led to is in " << aside.string() << '\n';
}

// Events are written there only after the journal has them.
bool has_lost_journal(const RunDirectory& directory) {
  std::error_code none;
  return !fs::exists(directory.journal(), none) && fs::file_size(directory.events(), none) > 0 &&
         !none;
}

ExitCode resume_for_real(const ResumeWords& words, const OutputOptions& output) {
  const RunDirectory directory = run_directory_of(words.directory);
  const RunLock lock(directory);
  LoadedRun run = load_run(directory);
  listen_at(run.settings, words.listen);
  const bool salvage = words.salvage;
  const bool has_no_journal = has_lost_journal(directory);
  if (has_no_journal && !salvage)
    throw Error(ErrorCode::RunFailed,
                "the journal of this run is gone: " + directory.journal().string(),
                "put it back; or train all of it again with --salvage, which keeps models/ aside");
  if (has_no_journal) set_aside_remains(directory);
  JournalReading reading;
  if (fs::exists(directory.journal())) reading = read_journal(directory.journal());
  if (!reading.fault.empty() && !salvage) {
    throw Error(ErrorCode::RunFailed, reading.fault,
                fmt::format("--salvage goes on from the last of {} events that are sound",
                            reading.events.size()));
  }
  if (!reading.fault.empty())
    std::cerr << reading.fault << "; going on from the last of " << reading.events.size()
              << " sound events\n";
  if (salvage && !reading.fault.empty()) set_aside_damaged(directory.journal(), reading);
  return carry_on(directory, run, reading.events, output);
}

}  // namespace

void add_real_run_command(CLI::App& app, Invocation& call) {
  auto words = std::make_shared<RunWords>();
  CLI::App* command =
      app.add_subcommand("run", "train for real: plan, train, look, and plan again");
  add_run_options(*command, *words);
  add_run_output_options(*command, call.output);
  command->callback([words, &call] {
    call.action = [words, &call](const Console&) { return run_for_real(*words, call.output); };
  });
  command->footer(
      "Shows the plan and asks before it begins. Then every epoch is trained where the plan says, "
      "the\n"
      "loss is looked at, and the strategy is asked again, until the goal is reached or cannot be "
      "any\n"
      "more. Everything is kept in one folder. Stop it at any time, even with kill -9: 'espalier\n"
      "resume' goes on.\n\n"
      "Examples:\n"
      "  espalier run factory.yaml\n"
      "  espalier run factory.yaml -y --strategy policy --output runs/today\n"
      "  espalier run factory.yaml --listen 0.0.0.0:4430 --certificates certificates\n"
      "  espalier run factory.yaml -y --format jsonl | jq 'select(.event == \"epoch\").loss'\n\n"
      "Exit codes: 0 goal reached; 1 failed, or all nodes gone (resumable); 2 somebody else "
      "carries it on;\n"
      "            3 goal missed; 4 bad input; 6 no plan reaches the goal; 7 stopped (resumable).");
}

void add_real_resume_command(CLI::App& app, Invocation& call) {
  auto words = std::make_shared<ResumeWords>();
  CLI::App* command = app.add_subcommand("resume", "go on with a run that was interrupted");
  command->add_option("DIR", words->directory, "folder of the run; the newest in runs/ if absent")
      ->type_name("");
  command
      ->add_option("--listen", words->listen,
                   "wait for nodes here; if absent where they were waited for before")
      ->type_name("HOST:PORT");
  command->add_flag(
      "--salvage", words->salvage,
      "where the journal is damaged, go on from its last sound event; where it is gone, "
      "from the beginning");
  add_run_output_options(*command, call.output);
  command->callback([words, &call] {
    call.action = [words, &call](const Console&) { return resume_for_real(*words, call.output); };
  });
  command->footer(
      "Goes on exactly where the journal ends: no epoch that was acknowledged is trained again.\n\n"
      "Examples:\n"
      "  espalier resume\n"
      "  espalier resume runs/factory-1\n\n"
      "Exit codes: as those of 'espalier run'.");
}

}  // namespace espalier
