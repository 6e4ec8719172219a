// SPDX-License-Identifier: Apache-2.0
// The scenarios of examples/, carried inside the program.
#pragma once

#include <string>
#include <vector>

namespace espalier {

struct Example {
  std::string name;
  std::string text;
};

// By name. Defined in a source that the build makes.
const std::vector<Example>& all_examples();

// The first line of its opening comment that says something.
std::string summary_of(const Example& example);

// Throws Error{BadInput} with a suggestion if there is none of that name.
const Example& example_named(const std::string& name);

}  // namespace espalier
