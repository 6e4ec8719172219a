// SPDX-License-Identifier: Apache-2.0
// Handed on to the trainer, which has this command too, with all its options.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/trainer_program.h"

namespace espalier {

void add_profile_command(CLI::App& app, Invocation& call) {
  CLI::App* command =
      app.add_subcommand("profile", "measure what epochs, switches and hand-overs cost");
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, &call] {
    std::vector<std::string> words = command->remaining();
    words.insert(words.begin(), "profile");
    call.action = [words](const Console&) -> ExitCode { become_trainer(words); };
  });
}

}  // namespace espalier
