// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <thread>

#include <CLI/CLI.hpp>

#include "cli/interruption.h"
#include "cli/run_screen.h"
#include "cli/run_settings.h"
#include "core/error.h"
#include "orchestrator/event_json.h"
#include "orchestrator/journal.h"

namespace espalier {
namespace {

struct LogsOptions {
  std::string directory;
  bool follow = false;
  bool raw = false;
};

void tell_raw(const RunEvent& event) { std::cout << event_text(event) << '\n' << std::flush; }

// Tells events of a journal that were not told yet. Owned by one thread.
class LogTeller {
 public:
  LogTeller(const LoadedRun& run, const RunScreen& screen, bool raw)
      : run_(run), screen_(screen), raw_(raw), state_(first_state(run.setup)) {}

  void tell(const std::vector<RunEvent>& events) {
    for (; told_ < events.size(); ++told_) {
      RunState after = on(run_.setup, state_, events[told_]).state;
      if (raw_)
        tell_raw(events[told_]);
      else
        screen_.tell(state_, events[told_], after);
      state_ = std::move(after);
    }
  }
  const RunState& state() const { return state_; }

 private:
  const LoadedRun& run_;
  const RunScreen& screen_;
  const bool raw_;
  RunState state_;
  std::size_t told_ = 0;
};

ExitCode show_logs(const LogsOptions& options, const OutputOptions& output) {
  const RunDirectory directory = run_directory_of(options.directory);
  const LoadedRun run = load_run(directory);
  const Narrator narrator(run.setup);
  const RunScreen screen(narrator, output);
  LogTeller teller(run, screen, options.raw);
  const Interruption interruption;
  for (;;) {
    const bool goes_on = options.follow && holder_of(directory).has_value();
    const JournalReading reading = read_journal(directory.journal());
    teller.tell(reading.events);
    if (!reading.fault.empty())
      throw Error(ErrorCode::RunFailed, reading.fault,
                  "'espalier resume " + directory.root().string() +
                      " --salvage' goes on from the last sound event");
    if (!goes_on) break;
    if (interruption.token().stop_requested()) return ExitCode::Stopped;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  if (!options.raw && teller.state().end)
    screen.end({directory.root().string(), run.setup, teller.state(), {}});
  return ExitCode::Done;
}

}  // namespace

void add_logs_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<LogsOptions>();
  CLI::App* command = app.add_subcommand("logs", "tell again what happened in a run");
  command->add_option("DIR", options->directory, "folder of the run; the newest in runs/ if absent")
      ->type_name("");
  command->add_flag("-f,--follow", options->follow, "go on while the run does");
  command->add_flag("--raw", options->raw, "every event as the journal has it");
  add_run_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options, &call](const Console&) { return show_logs(*options, call.output); };
  });
  command->footer(
      "The lines are those that 'run' shows. What nodes on this machine say is in DIR/agents.\n\n"
      "Examples:\n"
      "  espalier logs runs/factory-1\n"
      "  espalier logs --follow\n"
      "  espalier logs --format jsonl | jq 'select(.event == \"epoch\").loss'\n\n"
      "Exit codes: 0 told; 1 the journal is damaged; 4 no run there; 7 Ctrl-C.");
}

}  // namespace espalier
