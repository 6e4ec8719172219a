// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "render/evidence_report.h"
#include "render/json.h"
#include "render/table.h"
#include "render/text.h"

namespace espalier {
namespace {

struct VerdictMark {
  const char* text = "";
  Style style{};
};

VerdictMark mark_of(const Claim& claim) {
  if (!claim.is_said()) return {"?", Style::Dim};
  return claim.holds() ? VerdictMark{"✓", Style::Good} : VerdictMark{"✗", Style::Bad};
}

std::string claims_table(const std::vector<Claim>& claims, const Ink& ink) {
  Table table({{"", Align::Left, Fit::Keep},
               {"claim", Align::Left, Fit::Wrap},
               {"found here", Align::Left, Fit::Wrap}});
  for (const Claim& claim : claims) {
    const VerdictMark mark = mark_of(claim);
    table.add({{mark.text, mark.style}, {claim.source + ": " + claim.says}, {claim.found}});
  }
  return table.text(ink);
}

Json claim_json(const Claim& claim) {
  return {{"figure", claim.figure},
          {"source", claim.source},
          {"claim", claim.says},
          {"found", claim.found},
          {"holds", claim.is_said() ? Json(claim.holds()) : Json()},
          {"margin", std::isfinite(claim.margin) ? Json(claim.margin) : Json()},
          {"unit", claim.unit}};
}

Json count_json(const ClaimCount& count) {
  return {{"hold", count.holds}, {"said", count.said}, {"cannot_be_said", count.unsaid}};
}

Json cell_json(const SheetCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return std::get<double>(cell);
}

Json sheet_json(const Sheet& sheet) {
  Json rows = Json::array();
  for (const auto& row : sheet.rows) {
    Json one = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) one[sheet.columns[i]] = cell_json(row[i]);
    rows.push_back(std::move(one));
  }
  return {{"file", sheet.name + ".csv"}, {"rows", std::move(rows)}};
}

// Sheets that the page does not show are in their files only.
Json exhibit_json(const Exhibit& exhibit) {
  Json sheets = Json::array();
  for (const Sheet& sheet : exhibit.sheets) {
    if (sheet.is_shown) sheets.push_back(sheet_json(sheet));
  }
  return {{"id", exhibit.id}, {"title", exhibit.title}, {"tables", std::move(sheets)}};
}

}  // namespace

std::string evidence_text(const EvidenceReport& report, const Ink& ink) {
  std::string text =
      fmt::format("{} · the papers' results with {}\n", report.scenario, printable(report.traces));
  if (!report.claims.empty()) {
    text += fmt::format("claims: {}\n\n", count_text(count_claims(report.claims)));
    text += claims_table(report.claims, ink);
  }
  text += "\n";
  for (const std::string& note : report.notes) text += hanging("note   ", note);
  text += hanging("page   ", report.page);
  return text;
}

std::string evidence_document(const EvidenceReport& report) {
  Json claims = Json::array();
  for (const Claim& claim : report.claims) claims.push_back(claim_json(claim));
  Json figures = Json::array();
  for (const Exhibit& exhibit : report.exhibits) figures.push_back(exhibit_json(exhibit));
  return ok_document({{"scenario", report.scenario},
                      {"traces", report.traces},
                      {"seeds", report.seeds},
                      {"runs", report.runs},
                      {"notes", report.notes},
                      {"claim_count", count_json(count_claims(report.claims))},
                      {"claims", std::move(claims)},
                      {"figures", std::move(figures)},
                      {"report", report.page},
                      {"files", report.files}});
}

}  // namespace espalier
