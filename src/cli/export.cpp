// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/run_settings.h"
#include "core/error.h"
#include "io/durable_write.h"
#include "io/model_file.h"
#include "io/onnx/onnx_export.h"
#include "io/text_file.h"
#include "io/wording.h"
#include "onlooker/run_report.h"
#include "orchestrator/checkpoints.h"
#include "orchestrator/journal.h"
#include "orchestrator/run_files.h"
#include "render/json.h"
#include "render/names.h"
#include "render/tensorboard.h"
#include "wire/digest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestPlan = std::size_t{64} << 20U;

struct ExportOptions {
  std::string directory;
  std::string model;
  std::string csv;
  std::string tensorboard;
  std::string plans;
  bool best = false;
};

RunState state_in(const RunSetup& setup, const RunDirectory& directory) {
  const JournalReading reading = read_journal(directory.journal());
  if (!reading.fault.empty())
    throw Error(ErrorCode::RunFailed, reading.fault,
                "'espalier resume " + directory.root().string() +
                    " --salvage' goes on from the last sound event; metrics.csv and models/ can be "
                    "read as they are");
  return replayed(setup, reading.events);
}

struct ExportedModel {
  std::size_t epoch = 0;
  fs::path file;
};

ExportedModel model_file(const ExportOptions& options, const RunDirectory& directory,
                         const RunState& state) {
  if (state.epochs.empty())
    throw Error(ErrorCode::BadInput, "this run has no model yet: no epoch is over",
                state.end ? "it ended before the first one" : "wait for the first epoch");
  const Checkpoints checkpoints(directory.models());
  const std::size_t epoch = options.best ? best_epoch(state) : state.epochs.size();
  const fs::path file =
      options.best ? checkpoints.best() : checkpoints.file(static_cast<int>(epoch));
  std::error_code unknown;
  if (!fs::exists(file, unknown) || object_in(file) != state.epochs[epoch - 1].network)
    throw Error(ErrorCode::RunFailed, "'" + file.string() + "' is damaged or gone",
                options.best ? "leave --best out for the last one" : "--best exports the best one");
  return {epoch, file};
}

void export_model(const ExportOptions& options, const fs::path& from) {
  const Network network = load_model(from);
  const std::string extension = fs::path(options.model).extension().string();
  if (extension == ".onnx") return write_durably(options.model, onnx_bytes(network));
  if (extension == ".safetensors") return save_model(network, options.model);
  throw Error(ErrorCode::BadInput, "'" + shown(options.model) + "' is no kind of model",
              "models are written as NAME.safetensors or NAME.onnx");
}

Json all_plans(const RunDirectory& directory, const RunState& state) {
  Json plans = Json::array();
  for (std::size_t i = 0; i < state.asked.size(); ++i) {
    const auto text = read_text_file(directory.plan(i), kLargestPlan);
    if (const auto* fault = std::get_if<FileFault>(&text))
      throw Error(ErrorCode::RunFailed, directory.plan(i).string() + ": " + fault->what);
    plans.push_back(Json::parse(std::get<std::string>(text), nullptr, false));
  }
  return plans;
}

bool asks_for_anything(const ExportOptions& options) {
  return !(options.model.empty() && options.csv.empty() && options.tensorboard.empty() &&
           options.plans.empty());
}

// The file's name tells TensorBoard what it is; the same run gives the same name.
fs::path export_tensorboard(const fs::path& folder, const RunDirectory& directory,
                            const LoadedRun& run) {
  using std::chrono::file_clock;
  const auto begun = file_clock::to_sys(fs::last_write_time(directory.settings()));
  const double seconds = std::chrono::duration<double>(begun.time_since_epoch()).count();
  const WatchedStory story = story_of(directory, {run.setup, run.settings.strategy});
  const fs::path file = folder / fmt::format("events.out.tfevents.{:.0f}.espalier", seconds);
  make_folder_durably(folder);
  write_durably(file, tensorboard_events(story, seconds));
  return file;
}

ExitCode export_run(const ExportOptions& options, const Console& console) {
  const RunDirectory directory = run_directory_of(options.directory);
  const LoadedRun run = load_run(directory);
  const RunState state = state_in(run.setup, directory);
  if (!asks_for_anything(options))
    throw Error(ErrorCode::BadInput, "say what to export",
                "--model model.safetensors, --csv epochs.csv, --tensorboard FOLDER or --plans "
                "plans.json");
  Json data{{"directory", directory.root().string()}};
  std::string text;
  if (!options.model.empty()) {
    const ExportedModel model = model_file(options, directory, state);
    export_model(options, model.file);
    const EpochRecord& record = state.epochs[model.epoch - 1];
    data["model"] = {
        {"file", options.model}, {"epoch", model.epoch}, {"loss", record.step.loss.value}};
    text += fmt::format("{}: {} after epoch {}, loss {:.4g}\n", options.model,
                        run.setup.problem.name_of(record.step.placement), model.epoch,
                        record.step.loss.value);
  }
  if (!options.csv.empty()) {
    write_durably(options.csv, metrics_text(run.setup, state));
    data["csv"] = options.csv;
    text += fmt::format("{}: {} epochs\n", options.csv, state.epochs.size());
  }
  if (!options.tensorboard.empty()) {
    const fs::path file = export_tensorboard(options.tensorboard, directory, run);
    data["tensorboard"] = file.string();
    text += fmt::format("{}: {} epochs; tensorboard --logdir {} shows them\n", file.string(),
                        state.epochs.size(), options.tensorboard);
  }
  if (!options.plans.empty()) {
    write_durably(options.plans, all_plans(directory, state).dump(1) + "\n");
    data["plans"] = options.plans;
    text += fmt::format("{}: {}\n", options.plans,
                        counted(static_cast<long long>(state.asked.size()), "plan"));
  }
  console.answer(console.format() == Format::Json ? ok_document(std::move(data)) : text);
  return ExitCode::Done;
}

}  // namespace

void add_export_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "take models, figures and plans out of a run");
  command->add_option("DIR", options->directory, "folder of the run; the newest in runs/ if absent")
      ->type_name("");
  command->add_option("--model", options->model, "the network, as NAME.safetensors or NAME.onnx")
      ->type_name("FILE");
  command->add_flag("--best", options->best, "the network with the lowest loss, not the last one");
  command->add_option("--csv", options->csv, "one line for each epoch")->type_name("FILE");
  command
      ->add_option("--tensorboard", options->tensorboard,
                   "losses, energies, times, placements and plans for TensorBoard, into a folder")
      ->type_name("DIR");
  command->add_option("--plans", options->plans, "every plan with its steps, as JSON")
      ->type_name("FILE");
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return export_run(*options, console); };
  });
  command->footer(
      "Examples:\n"
      "  espalier export --model model.onnx\n"
      "  espalier export runs/factory-1 --model best.safetensors --best --csv epochs.csv\n"
      "  espalier export --tensorboard boards/factory-1 && tensorboard --logdir boards\n\n"
      "Exit codes: 0 done; 1 a file is damaged; 4 bad input, or a build without ONNX.");
}

}  // namespace espalier
