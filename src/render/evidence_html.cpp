// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "render/chart.h"
#include "render/evidence_report.h"
#include "render/html_page.h"

namespace espalier {
namespace {

std::string page_cell(const SheetCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double value = std::get<double>(cell);
  if (!std::isfinite(value)) return "–";
  const bool is_count = value == std::floor(value) && std::abs(value) < 1e9;
  return is_count ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

// Words are set to the left as far as they come first.
std::size_t columns_of_words(const Sheet& sheet) {
  if (sheet.rows.empty()) return 1;
  const auto& row = sheet.rows.front();
  const auto number = std::ranges::find_if(
      row, [](const SheetCell& cell) { return std::holds_alternative<double>(cell); });
  return static_cast<std::size_t>(number - row.begin());
}

HtmlPage::Row page_row(const std::vector<SheetCell>& row) {
  HtmlPage::Row cells;
  for (const SheetCell& cell : row) cells.cells.push_back(page_cell(cell));
  return cells;
}

void add_sheet(HtmlPage& page, const Sheet& sheet) {
  if (!sheet.is_shown || sheet.rows.empty()) return;
  std::vector<HtmlPage::Row> rows;
  for (const std::size_t row : sheet.rows_on_page) rows.push_back(page_row(sheet.rows[row]));
  if (rows.empty()) {
    for (const auto& row : sheet.rows) rows.push_back(page_row(row));
  }
  page.table(sheet.columns, rows, columns_of_words(sheet));
}

std::string files_sentence(const Exhibit& exhibit) {
  std::string names;
  for (const Sheet& sheet : exhibit.sheets)
    names += (names.empty() ? "" : ", ") + sheet.name + ".csv";
  return names.empty() ? "" : "The figures themselves: " + names + ".";
}

void add_exhibit(HtmlPage& page, const Exhibit& exhibit) {
  page.head(exhibit.title);
  for (const std::string& words : exhibit.words) page.say(words);
  std::vector<std::string> pictures;
  for (const Chart& chart : exhibit.charts) pictures.push_back(chart_svg(chart));
  for (const BarChart& chart : exhibit.bars) pictures.push_back(bar_chart_svg(chart));
  if (!pictures.empty()) page.pictures(pictures);
  for (const Sheet& sheet : exhibit.sheets) add_sheet(page, sheet);
  const std::string files = files_sentence(exhibit);
  if (!files.empty()) page.say(files);
}

const char* verdict_text(const Claim& claim) {
  if (!claim.is_said()) return "cannot be said";
  return claim.holds() ? "holds" : "does not hold";
}

const char* verdict_class(const Claim& claim) {
  if (!claim.is_said()) return "unsaid";
  return claim.holds() ? "holds" : "fails";
}

std::string margin_text(const Claim& claim) {
  if (!std::isfinite(claim.margin)) return "–";
  return fmt::format("{:+.1f} {}", claim.margin, claim.unit);
}

void add_claims(HtmlPage& page, const EvidenceReport& report) {
  page.head("What the papers claim, and what was found");
  page.say(
      "All of it is computed from the figures below. By how much: how far the figure is on the "
      "right side of the bound; negative, on the wrong one. What cannot be said, because nothing "
      "was there to compare, counts neither way.");
  std::vector<HtmlPage::Row> rows;
  for (const Claim& claim : report.claims)
    rows.push_back(
        {{claim.source, claim.says, claim.found, verdict_text(claim), margin_text(claim)},
         verdict_class(claim)});
  page.table({"source", "claim", "found here", "", "by how much"}, rows, 4);
}

void add_claim_cards(HtmlPage& page, const std::vector<Claim>& claims) {
  std::vector<HtmlPage::Card> cards;
  for (const auto& [source, about] : {std::pair{"PACT", "of PACT's claims hold here"},
                                      {"DepL", "of DepL's claims hold here"},
                                      {"ours", "of what we ask of ourselves holds"}}) {
    std::vector<Claim> some;
    std::ranges::copy_if(claims, std::back_inserter(some),
                         [&](const Claim& claim) { return claim.source.starts_with(source); });
    const ClaimCount count = count_claims(some);
    if (some.empty()) continue;
    std::string about_all = about;
    if (count.unsaid > 0) about_all += fmt::format("; {} cannot be said", count.unsaid);
    cards.push_back({fmt::format("{} of {}", count.holds, count.said), about_all,
                     count.said > 0 && count.holds == count.said});
  }
  page.cards(cards);
}

}  // namespace

std::string evidence_html(const EvidenceReport& report) {
  HtmlPage page("The papers' results, on real training",
                fmt::format("{} with {}: {} seeds, {} runs", report.scenario, report.traces,
                            report.seeds, report.runs));
  if (!report.claims.empty()) add_claim_cards(page, report.claims);
  page.list(report.notes);
  if (!report.claims.empty()) add_claims(page, report);
  for (const Exhibit& exhibit : report.exhibits) add_exhibit(page, exhibit);
  return page.finish();
}

}  // namespace espalier
