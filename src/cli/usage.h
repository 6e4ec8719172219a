// SPDX-License-Identifier: Apache-2.0
// What people got wrong on the command line, said so that they get it right the next time.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace espalier {

// Throws Error{BadInput} with a suggestion if the first word is no command of `app`.
void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& words);

// Throws Error{BadInput} with a suggestion for words that no option of the command took.
void refuse_leftovers(const CLI::App& command);

// Whether the words ask for JSON, as far as can be told before they are read.
bool asks_for_json(const std::vector<std::string>& words);
// One document a line.
bool asks_for_lines(const std::vector<std::string>& words);

}  // namespace espalier
