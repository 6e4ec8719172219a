// SPDX-License-Identifier: Apache-2.0
// Everything `reproduce` found out, ready to be told.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/exhibit.h"
#include "render/ink.h"

namespace espalier {

struct EvidenceReport {
  std::string traces{};    // where they are
  std::string scenario{};  // its name
  std::size_t seeds = 0;
  std::size_t runs = 0;
  // Who judged what, one sentence each.
  std::vector<std::string> notes{};
  std::vector<Claim> claims{};
  std::vector<Exhibit> exhibits{};
  std::string page{};                // where the page is
  std::vector<std::string> files{};  // the CSVs
};

// A page for browsers, self-contained. The same findings give the same bytes.
std::string evidence_html(const EvidenceReport& report);
// For people.
std::string evidence_text(const EvidenceReport& report, const Ink& ink);
// For machines: one JSON document.
std::string evidence_document(const EvidenceReport& report);

// Commas between cells, quotes where need be, numbers in full precision.
std::string sheet_csv(const Sheet& sheet);
Sheet claims_sheet(const std::vector<Claim>& claims);

}  // namespace espalier
