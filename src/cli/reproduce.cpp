// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/estimator_shelf.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "cli/trace_source.h"
#include "core/error.h"
#include "evidence/evidence.h"
#include "io/durable_write.h"
#include "io/trace_file.h"
#include "io/wording.h"
#include "render/evidence_report.h"
#include "render/figures.h"
#include "replay/rule_files.h"
#include "studies/examples.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualScenario = "paper-loop";
constexpr const char* kUsualTargets = "0.15:0.45:0.05";
constexpr std::size_t kQuickGroups = 3;
constexpr std::size_t kFullGroups = 4;

struct ReproduceOptions {
  std::vector<std::string> figures;
  bool quick = false;
  bool full = false;
  bool without_fit = false;
  std::string traces;
  std::string scenario;
  CollectingAgain collecting;
  std::string targets = kUsualTargets;
  std::string output = "reproduced";
  std::size_t groups = 0;
};

// What is told of a step, as soon as it begins.
void begin_step(const Console& console, const std::string& text) { console.remark(text + "\n"); }

// --- what figures are computed from

Scenario scenario_of(const ReproduceOptions& options) {
  if (!options.scenario.empty()) return load_scenario(options.scenario);
  ScenarioReading reading = read_scenario(example_named(kUsualScenario).text, kUsualScenario);
  ESPALIER_CHECK(reading.scenario.has_value());
  return std::move(*reading.scenario);
}

// Rules and their noise as the traces have them, and what prunings do.
Scenario ruled_by(const fs::path& traces, Scenario scenario, const std::vector<TraceRow>& rows) {
  for (RunSpec& run : scenario.runs)
    run.learn = {RuleFile{RuleFile::Kind::Traces, fs::absolute(traces).string()}, {}, {}};
  return with_traced_jumps(with_rules_read(std::move(scenario), "/"), rows);
}

std::vector<double> targets_of(const ReproduceOptions& options) {
  std::vector<double> targets = parse_sweep("goal.loss=" + options.targets).values;
  std::ranges::sort(targets);
  return targets;
}

std::vector<const FigureEntry*> chosen_figures(const ReproduceOptions& options) {
  auto figures = figures_named(options.figures);
  if (!options.without_fit) return figures;
  for (const FigureEntry* figure : figures) {
    if (figure->estimators == FigureEntry::Estimators::Needed && !options.figures.empty())
      throw Error(ErrorCode::BadInput, figure->id + " needs estimators, and --no-fit wants none",
                  "leave out one of the two");
  }
  std::erase_if(figures, [](const FigureEntry* figure) {
    return figure->estimators == FigureEntry::Estimators::Needed;
  });
  return figures;
}

bool any_uses_estimators(const std::vector<const FigureEntry*>& figures) {
  return std::ranges::any_of(figures, [](const FigureEntry* figure) {
    return figure->estimators != FigureEntry::Estimators::Unused;
  });
}

EvidenceInput input_of(const ReproduceOptions& options, const fs::path& traces,
                       const std::vector<const FigureEntry*>& figures) {
  EvidenceInput input;
  input.scenario = scenario_of(options);
  input.rows = load_traces(traces);
  const std::size_t usual = options.full ? kFullGroups : kQuickGroups;
  input.splits = split_seeds(input.rows, options.groups > 0 ? options.groups : usual);
  input.targets = targets_of(options);
  input.regimes = regimes_of(input.scenario, input.rows, input.targets);
  input.workers = options.collecting.workers;
  if (std::ranges::any_of(figures, &FigureEntry::needs_rules))
    input.ruled = ruled_by(traces, input.scenario, input.rows);
  return input;
}

// --- telling

std::vector<std::string> notes_of(const EvidenceInput& input) {
  std::vector<std::string> notes;
  for (const SeedSplit& split : input.splits)
    notes.push_back(fmt::format("seeds {} judge what was learnt from seeds {}",
                                seeds_listed(split.judged), seeds_listed(split.learnt)));
  notes.emplace_back(
      "losses are those of real training; times and energies are the scenario's, in units of an "
      "epoch of its first model");
  if (input.forecasters.empty()) notes.emplace_back("no estimators: what needs them is left out");
  return notes;
}

std::size_t count_runs(const std::vector<TraceRow>& rows) {
  std::set<std::string> runs;
  for (const TraceRow& row : rows) runs.insert(row.run);
  return runs.size();
}

void write_sheet(const Sheet& sheet, const fs::path& folder, EvidenceReport& report) {
  const fs::path file = folder / (sheet.name + ".csv");
  write_durably(file, sheet_csv(sheet));
  report.files.push_back(file.string());
}

EvidenceReport write_report(const ReproduceOptions& options, const fs::path& traces,
                            const EvidenceInput& input, Evidence evidence) {
  const fs::path folder = options.output;
  EvidenceReport report{.traces = traces.string(),
                        .scenario = input.scenario.name,
                        .seeds = seeds_of(input.rows).size(),
                        .runs = count_runs(input.rows),
                        .notes = notes_of(input),
                        .claims = std::move(evidence.claims),
                        .exhibits = std::move(evidence.exhibits),
                        .page = (folder / "report.html").string(),
                        .files = {}};
  write_sheet(claims_sheet(report.claims), folder, report);
  for (const Exhibit& exhibit : report.exhibits) {
    for (const Sheet& sheet : exhibit.sheets) write_sheet(sheet, folder, report);
  }
  write_durably(report.page, evidence_html(report));
  return report;
}

ExitCode stopped(const Console& console) {
  console.remark("stopped: no report was written; the same command goes on\n");
  return ExitCode::Stopped;
}

ExitCode reproduce(const ReproduceOptions& options, const Console& console) {
  if (options.quick && options.full)
    throw Error(ErrorCode::BadInput, "--quick and --full contradict each other", "choose one");
  const auto figures = chosen_figures(options);
  const Interruption interruption;
  make_folder_durably(options.output);
  if (options.full)
    begin_step(console, "traces: training for real; stop at any time, the same command goes on");
  const auto traces = options.full
                          ? collect_again(options.collecting, options.output, interruption.token())
                          : std::optional(known_traces(options.traces));
  if (!traces) return stopped(console);
  EvidenceInput input = input_of(options, *traces, figures);
  if (!options.without_fit && any_uses_estimators(figures)) {
    input.forecasters =
        fetch_estimators(input.splits,
                         {.folder = fs::path(options.output) / "estimators",
                          .trainer = options.collecting.trainer,
                          .workers = options.collecting.workers,
                          .tell = [&](const std::string& news) { begin_step(console, news); }},
                         interruption.token());
    if (interruption.by_user()) return stopped(console);
  }
  const std::size_t pieces = piece_count(figures, input);
  begin_step(console, fmt::format("computing {}: {}",
                                  counted(static_cast<long long>(figures.size()), "figure"),
                                  counted(static_cast<long long>(pieces), "piece")));
  Progress progress("computing", pieces);
  auto evidence = gather_evidence(
      figures, input, {.stop = interruption.token(), .done = [&] { progress.add_one(); }});
  if (!evidence) return stopped(console);
  const EvidenceReport report = write_report(options, *traces, input, std::move(*evidence));
  console.answer(console.format() == Format::Json ? evidence_document(report)
                                                  : evidence_text(report, console.ink()));
  return ExitCode::Done;
}

void add_reproduce_options(CLI::App& command, ReproduceOptions& options) {
  command.add_option("FIGURE", options.figures, "which; all if none is named")->type_name("");
  command.add_flag("--quick", options.quick, "from traces that are there; the usual");
  command.add_flag("--full", options.full, "collect the traces anew: hours of training, resumable");
  command.add_option("--output", options.output, "folder for all results; reproduced if absent")
      ->type_name("DIR");
  command.add_option("--traces", options.traces, std::string(kUsualTraces) + " if absent")
      ->type_name("FILE");
  command.add_option("--scenario", options.scenario, "costs and deadline; paper-loop if absent")
      ->type_name("FILE");
  command
      .add_option("--experiments", options.collecting.experiments,
                  "what --full collects; factory-experiments if absent")
      ->type_name("FILE");
  command.add_option("--targets", options.targets, "losses to reach; 0.15:0.45:0.05 if absent")
      ->type_name("FROM:TO:STEP");
  command
      .add_option("--groups", options.groups,
                  "of seeds, each judging what the others taught; 3, or 4 with --full")
      ->check(CLI::Range(2, 1000).description(""))
      ->type_name("N");
  command.add_flag("--no-fit", options.without_fit, "leave out what needs fitted estimators");
  command.add_option("--trainer", options.collecting.trainer, "the program that fits and trains")
      ->type_name("PROGRAM");
  command.add_option("--workers", options.collecting.workers, "threads; one per core if absent")
      ->type_name("N");
}

std::string reproduce_footer() {
  std::string text =
      "Computes the results of the PACT and DepL papers from traces of real training, and what "
      "their\nclaims are worth here: DIR/report.html, and a CSV for each figure. Seeds that judge "
      "are never\nseeds that were learnt from. Estimators are kept in DIR/estimators for the next "
      "time.\n\nFigures:\n";
  for (const FigureEntry& figure : all_figures())
    text += fmt::format("  {:<12} {}\n", figure.id, figure.about);
  return text +
         "\nExamples:\n"
         "  espalier reproduce\n"
         "  espalier reproduce fig6 fig7 --output figures\n"
         "  espalier reproduce fig2 environment fig6 --no-fit\n"
         "  espalier reproduce --full --workers 2\n\n"
         "Exit codes: 0 done, whatever claims hold; 1 failed; 2 somebody else collects "
         "there; 4 bad input;\n7 Ctrl-C, go on with the same.";
}

}  // namespace

void add_reproduce_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "the papers' results, on real training, with a report");
  add_reproduce_options(*command, *options);
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return reproduce(*options, console); };
  });
  command->footer(reproduce_footer());
}

}  // namespace espalier
