// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/usage.h"
#include "core/error.h"
#include "render/json.h"
#include "render/text.h"

namespace espalier {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kFooter =
    "Begin with:\n"
    "  espalier init                     write an example scenario\n"
    "  espalier plan smart-factory.yaml  plan it\n"
    "  espalier plan --strategy help     what each strategy does\n"
    "  espalier run FILE                 train for real\n\n"
    "Exit codes: 0 done, goal reachable or reached · 1 failed · 2 not allowed · 3 goal missed ·\n"
    "            4 bad input · 5 a bug · 6 infeasible · 7 stopped by you, resumable";

void add_commands(CLI::App& app, Invocation& call) {
  add_init_command(app, call);
  add_check_command(app, call);
  add_plan_command(app, call);
  add_compare_command(app, call);
  add_simulate_command(app, call);
  add_collect_command(app, call);
  add_reproduce_command(app, call);
  add_serve_command(app, call);
  add_cert_command(app, call);
  add_handed_on_commands(app, call);
  add_status_command(app, call);
  add_logs_command(app, call);
  add_stop_command(app, call);
  add_export_command(app, call);
}

void describe(CLI::App& app) {
  app.name("espalier");
  app.set_version_flag("--version", "espalier " ESPALIER_VERSION);
  app.footer(kFooter);
  app.get_formatter()->column_width(34);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->allow_extras();
    command->get_formatter()->column_width(34);
  }
}

// Help and version are answers too; everything else that stops the reading is bad usage.
int answer_or_refuse(const CLI::App& app, const CLI::ParseError& stopped) {
  if (stopped.get_exit_code() == 0) return app.exit(stopped);
  throw Error(ErrorCode::BadInput, stopped.what(), "'espalier COMMAND --help' lists what it takes");
}

int read_and_run(const Words& words, const AddCommands& add) {
  CLI::App app(
      "Plans the training of a DNN and its compressed versions across nodes: the target loss by "
      "the\n"
      "deadline with least energy.");
  Invocation call;
  add(app, call);
  describe(app);
  refuse_unknown_command(app, words);
  try {
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& stopped) {
    return answer_or_refuse(app, stopped);
  }
  for (const CLI::App* command : app.get_subcommands()) {
    if (!command->get_prefix_command()) refuse_leftovers(*command);
  }
  if (!call.action) {
    std::cerr << app.help();
    return static_cast<int>(ExitCode::BadInput);
  }
  return static_cast<int>(call.action(Console(call.output)));
}

int tell(const Words& words, const Error& error) {
  if (asks_for_json(words)) {
    const auto document = asks_for_lines(words) ? error_line : error_document;
    std::cout << document(error.code(), error.what(), error.hint()) << std::flush;
  }
  std::cerr << "error: " << hanging("", printable(error.what()));
  if (!error.hint().empty()) std::cerr << hanging("  → ", printable(error.hint()));
  return static_cast<int>(error.code());
}

}  // namespace

int run_cli(int argc, char** argv) { return run_cli(argc, argv, add_commands); }

int run_cli(int argc, char** argv, const AddCommands& add) {
  const Words words(argv + std::min(argc, 1), argv + argc);
  try {
    return read_and_run(words, add);
  } catch (const Error& error) {
    return tell(words, error);
  } catch (const std::bad_alloc&) {
    return tell(words, Error(ErrorCode::RunFailed, "out of memory",
                             "try a smaller scenario or coarser steps"));
  } catch (const std::exception& unexpected) {
    return tell(words, Error(ErrorCode::Bug, unexpected.what(),
                             "this is a bug in espalier; please report it"));
  }
}

}  // namespace espalier
