// SPDX-License-Identifier: Apache-2.0
// What `fit` learnt and how good it is, for people, machines and browsers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/units.h"
#include "fitting/fit_result.h"
#include "render/ink.h"

namespace espalier {

struct FitReport {
  std::string source;  // the traces
  const FitResult& result;
  std::uint64_t seed = 1;
  int hidden = 0;
  Seconds time{};
  std::string output;             // the estimators
  std::string page;               // the report for browsers; empty without one
  std::vector<std::string> next;  // commands
};

std::string fit_text(const FitReport& report, const Ink& ink);
std::string fit_document(const FitReport& report);
// Self-contained: nothing is loaded from elsewhere.
std::string fit_html(const FitReport& report);

}  // namespace espalier
