// SPDX-License-Identifier: Apache-2.0
// Handed on to the trainer or the orchestrator, which have these commands too, with all their
// options.
#include <array>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/trainer_program.h"

namespace espalier {
namespace {

struct HandedOn {
  const char* name;
  const char* about;
  std::filesystem::path (*program)();
};

std::filesystem::path usual_trainer() { return trainer_program(); }

constexpr std::array kHandedOn{
    HandedOn{"node", "train for an orchestrator, with one's own data", usual_trainer},
    HandedOn{"profile", "measure what epochs, switches and hand-overs cost", usual_trainer},
    HandedOn{"fit", "learn from traces how learning goes on", usual_trainer},
    HandedOn{"run", "train for real: plan, train, look, and plan again", orchestrator_program},
    HandedOn{"resume", "go on with a run that was interrupted", orchestrator_program},
};

void add_handed_on(CLI::App& app, Invocation& call, const HandedOn& one) {
  CLI::App* command = app.add_subcommand(one.name, one.about);
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, &call, name = std::string(one.name), program = one.program] {
    std::vector<std::string> words = command->remaining();
    words.insert(words.begin(), name);
    call.action = [words, program](const Console&) -> ExitCode { become(program(), words); };
  });
}

}  // namespace

void add_handed_on_commands(CLI::App& app, Invocation& call) {
  for (const HandedOn& one : kHandedOn) add_handed_on(app, call, one);
}

}  // namespace espalier
