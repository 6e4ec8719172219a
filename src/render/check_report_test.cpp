// SPDX-License-Identifier: Apache-2.0
#include "render/check_report.h"

#include <gtest/gtest.h>

#include "render/example_plan.h"
#include "render/json.h"

namespace espalier {
namespace {

CheckReport one_of_each() {
  Diagnostic error;
  error.file = "a.yaml";
  error.line = 3;
  error.key = "goal.loss";
  error.what = "is -1; it must be > 0";
  error.hint = "write 0.2";
  Diagnostic warning = error;
  warning.severity = Diagnostic::Severity::Warning;
  return {{{"a.yaml", std::nullopt, {error, warning}}, {"b.yaml", example_scenario(), {}}}};
}

TEST(CheckText, NamesPlaceProblemAndRemedyAndCounts) {
  const std::string text = check_text(one_of_each(), Ink::none());
  EXPECT_NE(text.find("error    a.yaml:3: goal.loss is -1; it must be > 0\n         → write 0.2\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("fine     b.yaml: 2 models, 1 node set, 2 placements, power rules"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2 files checked: 1 error, 1 warning\n"), std::string::npos) << text;
}

TEST(CheckDocument, HasEveryDiagnostic) {
  const Json data = Json::parse(check_document(one_of_each()))["data"];
  EXPECT_EQ(data["errors"], 1);
  EXPECT_EQ(data["files"][0]["diagnostics"].size(), 2U);
  EXPECT_EQ(data["files"][0]["diagnostics"][0]["line"], 3);
  EXPECT_EQ(data["files"][1]["valid"], true);
}

}  // namespace
}  // namespace espalier
