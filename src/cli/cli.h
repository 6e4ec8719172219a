// SPDX-License-Identifier: Apache-2.0
// The command line: finds out what is asked for, has it done, and tells how it ended.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace espalier {

struct Invocation;

// The whole program; returns its exit code and throws nothing.
int run_cli(int argc, char** argv);

// The same with other commands: those that `add` adds.
using AddCommands = std::function<void(CLI::App& app, Invocation& call)>;
int run_cli(int argc, char** argv, const AddCommands& add);

}  // namespace espalier
