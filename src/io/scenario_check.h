// SPDX-License-Identifier: Apache-2.0
// What can only be said by looking at a scenario as a whole.
#pragma once

#include <string>

#include "core/scenario.h"
#include "io/document.h"
#include "io/report.h"

namespace espalier {

// Reports by path; finds the line itself.
class PathReport {
 public:
  // The document and the report must outlive it.
  PathReport(const DocumentNode& root, Report& report) : root_(root), report_(report) {}
  void error(const std::string& path, std::string what, std::string hint);
  void warning(const std::string& path, std::string what, std::string hint);
  bool has_errors() const { return report_.has_errors(); }

 private:
  const DocumentNode& root_;
  Report& report_;
};

// REQUIRES: the scenario was read from `root` without errors.
void check_scenario(const Scenario& scenario, const DocumentNode& root, Report& report);

// Errors: rules under which a higher loss could end below a lower one, in the estimates or also in
// the truth.
enum class Rules { OfEstimates, OfEverything };
void check_monotone(const Scenario& scenario, Rules rules, PathReport& report);

// Warnings: what is allowed, but surely not meant.
void warn_about(const Scenario& scenario, PathReport& report);

}  // namespace espalier
