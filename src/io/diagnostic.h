// SPDX-License-Identifier: Apache-2.0
// One thing wrong with a file, said so that the reader can mend it.
#pragma once

#include <string>

namespace espalier {

struct Diagnostic {
  enum class Severity { Error, Warning };
  Severity severity = Severity::Error;
  std::string file{};  // "factory.yaml", or "--set goal.loss"
  int line = 0;        // 1-based; 0: the file as a whole
  int column = 0;      // 1-based; 0: the line as a whole
  std::string key{};   // "run[2].energy"; empty: about no key
  std::string what{};  // "is -3 J; it must be ≥ 0"; without a key "not valid YAML: …"
  std::string hint{};  // what to write instead; may be empty

  // "factory.yaml:14: run[2].energy is -3 J; it must be ≥ 0"
  std::string text() const;
};

}  // namespace espalier
