// SPDX-License-Identifier: Apache-2.0
#include "trainer/fit_command.h"

#include <filesystem>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/interruption.h"
#include "core/error.h"
#include "fitting/fit.h"
#include "io/durable_write.h"
#include "io/trace_file.h"
#include "io/wording.h"
#include "render/figures.h"
#include "render/fit_report.h"
#include "render/json.h"
#include "render/text.h"
#include "trainer/fit_progress.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFolds = 100;
constexpr unsigned kMostFitWorkers = 256;

struct FitCommandOptions {
  std::string traces;
  std::string output;
  std::string page;
  FittingOptions fitting{};
  bool force = false;
};

// A folder of `collect` holds the traces of all its runs.
fs::path traces_of(const FitCommandOptions& options) {
  if (options.traces.empty())
    throw Error(ErrorCode::BadInput, "fit needs traces",
                "espalier fit TRACES: a CSV file, or a folder of `espalier collect`");
  const fs::path named = options.traces;
  std::error_code unknown;
  if (!fs::is_directory(named, unknown)) return named;
  if (fs::exists(named / "traces.csv", unknown)) return named / "traces.csv";
  throw Error(ErrorCode::BadInput, "'" + shown(options.traces) + "' has no traces.csv",
              "`espalier collect` writes it when it ends or is stopped; or name a CSV file");
}

fs::path output_of(const FitCommandOptions& options) {
  if (!options.output.empty()) return options.output;
  fs::path named = fs::path(options.traces).lexically_normal();
  if (named.filename().empty()) named = named.parent_path();
  return named.stem().string() + ".fitted";
}

// Found out before minutes of work, not after.
void require_place_for(const fs::path& path, const FitCommandOptions& options) {
  std::error_code unknown;
  if (!options.force && fs::exists(path, unknown))
    throw Error(ErrorCode::BadInput, "'" + shown(path.string()) + "' is there already",
                "name another, or use --force to replace it");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, unknown) || ::access(folder.c_str(), W_OK) != 0)
    throw Error(ErrorCode::BadInput, "'" + shown(path.string()) + "' cannot be written",
                "its folder must be there, and be one that you may write to");
}

// Not even --force may replace what is read, or one answer by the other.
void require_different(const fs::path& one, const fs::path& other, const char* what) {
  const auto whole = [](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path)); };
  if (whole(one) != whole(other)) return;
  throw Error(ErrorCode::BadInput, fmt::format("'{}' would replace {}", shown(one.string()), what),
              "name another file");
}

// Says where the estimators come from; without dates, so that the same traces give the same bytes.
std::string origin_of(const fs::path& traces, const FitCommandOptions& options,
                      const FitResult& result) {
  const Json origin = {{"traces", traces.filename().string()},
                       {"rows", result.rows},
                       {"runs", result.runs},
                       {"seed", options.fitting.network.seed},
                       {"hidden", options.fitting.network.hidden},
                       {"folds", result.run.folds}};
  return origin.dump();
}

std::vector<std::string> next_of(const FitReport& report) {
  std::vector<std::string> next;
  if (report.page.empty())
    next.push_back("espalier fit " + shell_word(report.source) + " --output " +
                   shell_word(report.output) + " --report report.html --force");
  return next;
}

std::optional<FitResult> fit_traces(const fs::path& traces, const FitCommandOptions& options,
                                    const FitTools& tools, const Console& console) {
  const TraceStories stories = tell_stories(load_traces(traces));
  const Interruption interruption;
  console.remark(fmt::format("{}: {} of {}\n", shown(traces.string()),
                             counted(static_cast<long long>(stories.rows), "row"),
                             counted(static_cast<long long>(stories.runs.size()), "run")));
  FitProgressLine line(options.fitting.network.most_epochs);
  return fit(stories, options.fitting, tools.fitters,
             {[&](const FittingNews& news) { line.tell(news); }, interruption.token()});
}

// What is wrong with traces is told with their name.
std::optional<FitResult> fit_named(const fs::path& traces, const FitCommandOptions& options,
                                   const FitTools& tools, const Console& console) {
  try {
    return fit_traces(traces, options, tools, console);
  } catch (const Error& error) {
    const std::string message = error.what();
    const bool is_named = message.find(traces.string()) != std::string::npos;
    if (is_named || error.code() != ErrorCode::BadInput) throw;
    throw Error(error.code(), shown(traces.string()) + ": " + message, error.hint());
  }
}

ExitCode run_fit(const FitCommandOptions& options, const FitTools& tools, const Console& console) {
  validate(options.fitting.network);
  const fs::path traces = traces_of(options);
  const fs::path output = output_of(options);
  require_different(output, traces, "the traces");
  require_place_for(output, options);
  if (!options.page.empty()) {
    require_different(options.page, traces, "the traces");
    require_different(options.page, output, "the estimators");
    require_place_for(options.page, options);
  }
  const Seconds begin = tools.clock.now();
  std::optional<FitResult> result = fit_named(traces, options, tools, console);
  if (!result) {
    console.remark("stopped: nothing was written\n");
    return ExitCode::Stopped;
  }
  result->fitted.origin = origin_of(traces, options, *result);
  FitReport report{.source = options.traces,
                   .result = *result,
                   .seed = options.fitting.network.seed,
                   .hidden = options.fitting.network.hidden,
                   .time = tools.clock.now() - begin,
                   .output = output.string(),
                   .page = options.page,
                   .next = {}};
  report.next = next_of(report);
  save_estimators(result->fitted, output);
  if (!options.page.empty()) write_durably(options.page, fit_html(report));
  console.answer(console.format() == Format::Json ? fit_document(report)
                                                  : fit_text(report, console.ink()));
  return ExitCode::Done;
}

void add_options(CLI::App& command, FitCommandOptions& options) {
  FitOptions& network = options.fitting.network;
  command.add_option("TRACES", options.traces, "a CSV of traces, or a folder of `collect`")
      ->type_name("");
  command
      .add_option("-o,--output", options.output, "where the estimators go; NAME.fitted if absent")
      ->type_name("FILE");
  command.add_option("--report", options.page, "where a report for browsers goes")
      ->type_name("FILE.html");
  command.add_flag("--force", options.force, "replace files that are there");
  command.add_option("--folds", options.fitting.folds, "how often other runs judge; 5 if absent")
      ->check(CLI::Range(std::size_t{2}, kMostFolds).description(""))
      ->type_name("N")
      ->group("Fitting");
  command.add_option("--seed", network.seed, "of first weights, order and folds; 1 if absent")
      ->type_name("N")
      ->group("Fitting");
  command.add_option("--hidden", network.hidden, "units of the LSTM; 32 if absent")
      ->type_name("N")
      ->group("Fitting");
  command
      .add_option("--epochs", network.most_epochs,
                  "stop after so many, settled or not; 400 if absent; longer with under 100 curves")
      ->type_name("N")
      ->group("Fitting");
  command
      .add_option("--workers", options.fitting.workers,
                  "networks that are fitted side by side; one per core if absent")
      ->check(CLI::Range(1U, kMostFitWorkers).description(""))
      ->type_name("N")
      ->group("Fitting");
}

constexpr const char* kFitFooter =
    "Fits two networks: how a loss goes on, and what pruning does to it. Runs are dealt out to\n"
    "folds; each is judged by networks that never saw it, beside the last difference and a power\n"
    "law. Ranges are calibrated, so that 90 % of the losses of further runs are within.\n\n"
    "The CSV needs the columns run, epoch and loss; other columns of a trace file may be missing.\n"
    "At least 6 runs of two epochs or more are needed.\n\n"
    "Examples:\n"
    "  espalier fit traces -o cifar.fitted --report report.html\n"
    "  espalier fit other.csv --folds 10 --hidden 64\n"
    "  espalier fit traces.csv --format json\n\n"
    "Exit codes: 0 done; 1 failed; 4 bad input; 7 Ctrl-C, nothing written.";

}  // namespace

void add_real_fit_command(CLI::App& app, Invocation& call, const FitTools& tools) {
  auto options = std::make_shared<FitCommandOptions>();
  CLI::App* command = app.add_subcommand("fit", "learn from traces how learning goes on");
  add_options(*command, *options);
  add_output_options(*command, call.output);
  command->callback([options, &call, &tools] {
    call.action = [options, &tools](const Console& console) {
      return run_fit(*options, tools, console);
    };
  });
  command->footer(kFitFooter);
}

}  // namespace espalier
