// SPDX-License-Identifier: Apache-2.0
// The program that trains: beside this one, and apart from it, so that no other command has to load
// what it needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace espalier {

// `named`, or espalier-trainer beside this program. Throws Error if there is none.
std::filesystem::path trainer_program(const std::string& named = "");

// Becomes the trainer, with these words as its command line. Throws Error if that fails.
[[noreturn]] void become_trainer(const std::vector<std::string>& words);

}  // namespace espalier
