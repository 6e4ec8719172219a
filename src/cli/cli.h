// SPDX-License-Identifier: Apache-2.0
// The command line: finds out what is asked for, has it done, and tells how it ended.
#pragma once

namespace espalier {

// The whole program; returns its exit code and throws nothing.
int run_cli(int argc, char** argv);

}  // namespace espalier
