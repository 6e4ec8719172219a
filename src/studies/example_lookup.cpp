// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"
#include "studies/examples.h"

namespace espalier {

std::string summary_of(const Example& example) {
  std::istringstream lines(example.text);
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    const std::size_t words = line.find_first_not_of("# ");
    if (words != std::string::npos && line.find("SPDX") == std::string::npos)
      return line.substr(words);
  }
  return "";
}

const Example& example_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Example& example : all_examples()) {
    if (example.name == name) return example;
    names.push_back(example.name);
  }
  throw Error(ErrorCode::BadInput,
              "unknown example '" + shown(name) + "'" + did_you_mean(name, names),
              "'espalier init --list' names them all");
}

}  // namespace espalier
