// SPDX-License-Identifier: Apache-2.0
// The programs that train and that carry runs on: beside this one, and apart from it, so that no
// other command has to load what they need.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace espalier {

// `named`, or espalier-trainer beside this program. Throws Error if there is none.
std::filesystem::path trainer_program(const std::string& named = "");

// espalier-orchestrator beside this program. Throws Error if there is none.
std::filesystem::path orchestrator_program();

// Becomes another program, with these words as its command line. Throws Error if that fails.
[[noreturn]] void become(const std::filesystem::path& program,
                         const std::vector<std::string>& words);

}  // namespace espalier
