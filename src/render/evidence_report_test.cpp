// SPDX-License-Identifier: Apache-2.0
#include "render/evidence_report.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "render/chart.h"
#include "render/html_page.h"
#include "support/text.h"

namespace espalier {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Chart small_chart() {
  return {.title = "Energy <by> target",
          .about = "mean",
          .x_name = "target",
          .y_name = "energy",
          .series = {{.name = "pact",
                      .points = {{0.1, 5, 4, 6}, {0.2, kNaN}, {0.3, 3, 2, 4}, {0.4, 2, 1, 3}}},
                     {.name = "optimum", .points = {{0.1, 4}, {0.4, 2}}, .colour = 1}}};
}

TEST(ChartSvg, NamesAxesAndSeriesAndBreaksWhereNothingIsKnown) {
  const std::string svg = chart_svg(small_chart());
  for (const char* word : {"Energy &lt;by&gt; target", "target", "energy", "pact", "optimum"})
    EXPECT_TRUE(contains(svg, word)) << word;
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_TRUE(contains(svg, "class=\"band c0\""));
}

TEST(ChartSvg, DrawsEqualLinesOnceAndSaysSo) {
  Chart chart = small_chart();
  chart.series.push_back({.name = "policy", .points = chart.series[1].points, .colour = 2});
  const std::string svg = chart_svg(chart);
  EXPECT_TRUE(contains(svg, "policy (same line)"));
  EXPECT_FALSE(contains(svg, "trace s2"));
  chart.series[2].points.back().y *= 1 + 1e-15;
  EXPECT_FALSE(contains(chart_svg(chart), "trace s2")) << "a sum in another order";
  chart.series[2].points.back().y = 2.5;
  EXPECT_TRUE(contains(chart_svg(chart), "trace s2"));
}

TEST(ChartSvg, TheLegendShowsDotsWhereDotsAreDrawn) {
  const ChartSeries dots{.name = "seen", .points = {{1, 2}}, .mark = ChartSeries::Mark::Dots};
  const auto count_of_dots = [](const std::string& svg) {
    std::size_t count = 0;
    for (auto at = svg.find("<circle"); at != svg.npos; at = svg.find("<circle", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(count_of_dots(chart_svg({.title = "dots", .series = {dots}})), 2U);
}

TEST(ChartSvg, DrawsALimitUprightAndMakesRoomForIt) {
  Chart chart = small_chart();
  const auto count = [](const std::string& svg) {
    std::size_t lines = 0;
    for (auto at = svg.find("\"limit\""); at != svg.npos; at = svg.find("\"limit\"", at + 1))
      ++lines;
    return lines;
  };
  EXPECT_EQ(count(chart_svg(chart)), 0U);
  chart.limit = 9;
  EXPECT_EQ(count(chart_svg(chart)), 1U);
}

TEST(ChartSvg, SurvivesHavingNothingToShow) {
  EXPECT_FALSE(contains(chart_svg({.title = "empty"}), "nan"));
  EXPECT_FALSE(contains(bar_chart_svg({.title = "empty"}), "nan"));
}

TEST(BarChartSvg, StacksParts) {
  const std::string svg =
      bar_chart_svg({.title = "Energy by model",
                     .y_name = "energy",
                     .parts = {"L", "S"},
                     .groups = {{.name = "tight", .bars = {{.name = "pact", .parts = {3, 1}}}}}});
  EXPECT_TRUE(contains(svg, "pact, L: 3"));
  EXPECT_TRUE(contains(svg, "pact, S: 1"));
  EXPECT_TRUE(contains(svg, "tight"));
}

TEST(SheetCsv, QuotesWhatNeedsIt) {
  const Sheet sheet{.name = "x",
                    .columns = {"who", "how much"},
                    .rows = {{std::string("a, \"b\""), 0.1}, {std::string("c"), kNaN}}};
  EXPECT_EQ(sheet_csv(sheet), "who,how much\n\"a, \"\"b\"\"\",0.1\nc,\n");
}

EvidenceReport small_report() {
  EvidenceReport report{.traces = "t.csv", .scenario = "loop", .seeds = 2, .runs = 4};
  report.notes = {"seeds 1 judge what was learnt from seeds 2"};
  report.claims = {
      {"fig6", "PACT, fig. 6", "close to the optimum", "+3 %", ClaimVerdict::Holds, 2, "points"},
      {"fig6", "PACT, fig. 6", "cheaper than <others>", "+9 %", ClaimVerdict::Fails, -9, "points"},
      {"depl", "DepL", "dearer", "nothing to compare", ClaimVerdict::Unsaid}};
  report.exhibits = {{.id = "fig6",
                      .title = "Energy by target",
                      .words = {"What everybody spends."},
                      .charts = {small_chart()},
                      .bars = {},
                      .sheets = {{.name = "fig6", .columns = {"who"}, .rows = {{1.5}}}}}};
  report.page = "reproduced/report.html";
  return report;
}

TEST(EvidenceHtml, TellsClaimsFirstAndIsSelfContained) {
  const std::string page = evidence_html(small_report());
  EXPECT_LT(page.find("close to the optimum"), page.find("What everybody spends."));
  EXPECT_TRUE(contains(page, "does not hold"));
  EXPECT_TRUE(contains(page, "1 of 2"));
  EXPECT_TRUE(contains(page, "0 of 0"));
  EXPECT_TRUE(contains(page, "claims hold here; 1 cannot be said"));
  EXPECT_TRUE(contains(page, "cheaper than &lt;others&gt;"));
  EXPECT_TRUE(contains(page, "<svg"));
  for (const char* link : {"<script", "<link", "src=", "href=\"http"})
    EXPECT_FALSE(contains(page, link)) << link;
  EXPECT_EQ(page, evidence_html(small_report()));
}

TEST(EvidenceHtml, ShowsOnlySomeRowsOfALongTable) {
  EvidenceReport report = small_report();
  report.exhibits[0].sheets = {{.name = "long",
                                .columns = {"who"},
                                .rows = {{std::string("first")}, {std::string("middle one")}},
                                .rows_on_page = {0}}};
  EXPECT_TRUE(contains(evidence_html(report), "first"));
  EXPECT_FALSE(contains(evidence_html(report), "middle one"));
  EXPECT_TRUE(contains(evidence_document(report), "middle one"));
}

TEST(HtmlPage, ListsItsPartsWhereThereAreMany) {
  HtmlPage page("Title", "about it");
  for (int i = 1; i <= 5; ++i) page.head("part");
  EXPECT_FALSE(contains(page.finish(), "<nav>"));
  page.head("<sixth>");
  EXPECT_TRUE(contains(page.finish(), "<a href=\"#part-6\">&lt;sixth&gt;</a>"));
  EXPECT_TRUE(contains(page.finish(), "<h2 id=\"part-6\">&lt;sixth&gt;</h2>"));
}

TEST(EvidenceText, CountsWhatHolds) {
  const std::string text = evidence_text(small_report(), Ink::none());
  EXPECT_TRUE(contains(text, "1 of 2 hold, 1 cannot be said"));
  EXPECT_TRUE(contains(text, "reproduced/report.html"));
}

TEST(ClaimsSheet, LeavesTheMarginOpenWhereNothingCanBeSaid) {
  const std::string csv = sheet_csv(claims_sheet(small_report().claims));
  EXPECT_TRUE(contains(csv, "dearer,nothing to compare,cannot be said,,\n")) << csv;
}

TEST(EvidenceDocument, IsOneDocument) {
  const auto document = nlohmann::json::parse(evidence_document(small_report()));
  EXPECT_EQ(document["data"]["claims"][1]["holds"], false);
  EXPECT_EQ(document["data"]["claims"][1]["margin"], -9);
  EXPECT_TRUE(document["data"]["claims"][2]["holds"].is_null());
  EXPECT_TRUE(document["data"]["claims"][2]["margin"].is_null());
  EXPECT_EQ(document["data"]["claim_count"]["hold"], 1);
  EXPECT_EQ(document["data"]["claim_count"]["said"], 2);
  EXPECT_EQ(document["data"]["claim_count"]["cannot_be_said"], 1);
  EXPECT_EQ(document["data"]["figures"][0]["tables"][0]["rows"][0]["who"], 1.5);
}

}  // namespace
}  // namespace espalier
