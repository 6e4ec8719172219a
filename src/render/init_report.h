// SPDX-License-Identifier: Apache-2.0
// What `init` did, ready to be told.
#pragma once

#include <string>
#include <vector>

#include "render/ink.h"

namespace espalier {

struct ListedExample {
  std::string name;
  std::string summary;
};

struct InitReport {
  std::string file;
  std::string example;
  std::string summary;
};

std::string init_text(const InitReport& report, const Ink& ink);
std::string init_document(const InitReport& report);
std::string examples_text(const std::vector<ListedExample>& examples, const Ink& ink);
std::string examples_document(const std::vector<ListedExample>& examples);

}  // namespace espalier
