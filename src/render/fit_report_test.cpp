// SPDX-License-Identifier: Apache-2.0
#include "render/fit_report.h"

#include <gtest/gtest.h>

#include "fitting/fit_fixtures.h"
#include "render/fit_pictures.h"
#include "render/fit_words.h"
#include "render/json.h"
#include "support/text.h"

namespace espalier {
namespace {

FitResult small_result(bool prunes) {
  auto rows = support::synthetic_rows(12, 8, prunes);
  for (TraceRow& row : rows) row.run += " <b>&";
  return fit(tell_stories(rows), {}, support::hopeless_fitters(), {}).value();
}

FitReport report_of(const FitResult& result) {
  return {.source = "a<b>.csv",
          .result = result,
          .seed = 1,
          .hidden = 16,
          .time = {12},
          .output = "a.fitted",
          .page = "",
          .next = {"espalier plan x"}};
}

TEST(FitReport, TellsEveryVoiceBesideThePapers) {
  const FitResult result = small_result(true);
  const std::string text = fit_text(report_of(result), Ink::none());
  for (const char* part : {"last difference", "power law", "blend, calibrated", "nothing happens",
                           "mean jump", "network, calibrated", "0.0173", "0.52", "a.fitted"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  EXPECT_TRUE(contains(text, "12 runs, 5 folds")) << text;
}

TEST(FitReport, SaysWhyPruningsAreMissing) {
  const FitResult result = small_result(false);
  EXPECT_TRUE(contains(fit_text(report_of(result), Ink::none()), "not fitted: 0 runs have a row"));
  const Json data = Json::parse(fit_document(report_of(result)))["data"];
  EXPECT_FALSE(data["change"]["fitted"]);
  EXPECT_TRUE(contains(data["change"]["missing"].get<std::string>(), "prune"));
}

TEST(FitReport, GivesMachinesAllFigures) {
  const FitResult result = small_result(true);
  const Json data = Json::parse(fit_document(report_of(result)))["data"];
  const Json& used = data["run"]["estimators"][4];
  EXPECT_EQ(used["name"], "calibrated");
  EXPECT_EQ(used["pooled"]["mae"], result.run.voices[4].pooled.mae);
  EXPECT_EQ(used["by_horizon"][1]["ahead"], 2);
  EXPECT_EQ(data["run"]["reliability"].size(), 9U);
  EXPECT_EQ(data["change"]["worst"][0]["to"], 0.5);
}

// Names come from files of strangers, and a page is opened where nothing else can be loaded.
TEST(FitReport, IsAPageThatStandsAloneAndTrustsNoName) {
  const FitResult result = small_result(true);
  const std::string page = fit_html(report_of(result));
  for (const char* part : {"<script", "src=", "href=\"http", "@import", "url(", "<b>&"})
    EXPECT_FALSE(contains(page, part)) << part;
  EXPECT_TRUE(contains(page, "a&lt;b&gt;.csv"));
  EXPECT_TRUE(contains(page, "prefers-color-scheme: dark"));
  for (const char* head : {"How losses go on", "What pruning does", "Do ranges come true?",
                           "Predicted and true", "Worst cases", "What was left out"})
    EXPECT_TRUE(contains(page, head)) << head;
}

TEST(FitReport, DrawsARangeForEachStart) {
  SampleCurve sample{.run = "r", .now = {}, .points = {{0, 2, true}, {1, 1, true}}};
  sample.starts = {{0, 2, {{1, {0.5, 1, 1.5}}}}, {1, 1, {{1, {0.4, 0.5, 0.6}}}}};
  const std::string svg = sample_svg(sample);
  EXPECT_TRUE(contains(svg, "band c0"));
  EXPECT_TRUE(contains(svg, "band c1"));
  EXPECT_TRUE(contains(svg, "predicted after epoch 1"));
}

}  // namespace
}  // namespace espalier
