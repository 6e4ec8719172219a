// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "core/error.h"
#include "orchestrator/run_directory.h"
#include "render/json.h"

namespace espalier {
namespace {

using namespace std::chrono_literals;

// Whether it came to an end within that time.
bool waits_until_free(const RunDirectory& directory, std::chrono::milliseconds at_most) {
  for (auto waited = 0ms; waited < at_most; waited += 50ms) {
    if (!holder_of(directory)) return true;
    std::this_thread::sleep_for(50ms);
  }
  return !holder_of(directory);
}

ExitCode stop_run(const std::string& named, const Console& console) {
  const RunDirectory directory = run_directory_of(named);
  const auto pid = holder_of(directory);
  const std::string where = directory.root().string();
  if (pid) {
    if (::kill(*pid, SIGTERM) != 0)
      throw Error(ErrorCode::NotAllowed, fmt::format("process {} cannot be told to stop", *pid),
                  "only who started a run can stop it");
    if (!waits_until_free(directory, 30s))
      throw Error(
          ErrorCode::RunFailed, fmt::format("process {} has not stopped within 30 s", *pid),
          fmt::format("kill -9 {} does no harm: the run can be resumed all the same", *pid));
  }
  if (console.format() == Format::Json) {
    console.answer(ok_document({{"directory", where}, {"was_running", pid.has_value()}}));
    return ExitCode::Done;
  }
  console.answer(pid ? fmt::format("stopped; 'espalier resume {}' goes on\n", where)
                     : fmt::format("nobody carries {} on\n", where));
  return ExitCode::Done;
}

}  // namespace

void add_stop_command(CLI::App& app, Invocation& call) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("stop", "stop a run, so that it can be resumed");
  command->add_option("DIR", *directory, "folder of the run; the newest in runs/ if absent")
      ->type_name("");
  add_output_options(*command, call.output);
  command->callback([directory, &call] {
    call.action = [directory](const Console& console) { return stop_run(*directory, console); };
  });
  command->footer(
      "Works on the machine where the run is carried on.\n\n"
      "Examples:\n"
      "  espalier stop\n"
      "  espalier stop runs/factory-1\n\n"
      "Exit codes: 0 stopped, or nobody was at it; 1 it does not stop; 2 not allowed; 4 no run "
      "there.");
}

}  // namespace espalier
