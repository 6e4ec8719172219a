// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "render/evidence_report.h"
#include "render/figures.h"

namespace espalier {
namespace {

std::string quoted_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' ? "\"\"" : std::string(1, c);
  return safe + "\"";
}

std::string csv_cell(const SheetCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return quoted_cell(*text);
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? exact_figure(value) : "";
}

template <class Cells, class Write>
std::string csv_line(const Cells& cells, Write write) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + write(cells[i]);
  return line + "\n";
}

std::string verdict_cell(const Claim& claim) {
  if (!claim.is_said()) return "cannot be said";
  return claim.holds() ? "yes" : "no";
}

}  // namespace

std::string sheet_csv(const Sheet& sheet) {
  std::string text = csv_line(sheet.columns, quoted_cell);
  for (const auto& row : sheet.rows) text += csv_line(row, csv_cell);
  return text;
}

Sheet claims_sheet(const std::vector<Claim>& claims) {
  Sheet sheet{.name = "claims",
              .columns = {"figure", "source", "claim", "found", "holds", "margin", "unit"}};
  for (const Claim& claim : claims)
    sheet.rows.push_back({claim.figure, claim.source, claim.says, claim.found, verdict_cell(claim),
                          claim.margin, claim.unit});
  return sheet;
}

}  // namespace espalier
