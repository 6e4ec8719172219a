// SPDX-License-Identifier: Apache-2.0
#include "render/cert_report.h"

#include "render/json.h"
#include "render/sections.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr std::size_t kShownDigits = 16;

Style style_of_state(const std::string& state) {
  return state == "allowed" ? Style::Good : Style::Warning;
}

}  // namespace

std::string cert_text(const CertReport& report, const Ink& ink) {
  std::string text = ink(Style::Good, report.did + " ") + printable(report.what) + "\n";
  if (!report.files.empty()) text += hanging("  in ", printable(report.files));
  return text + notes_text(report.notes, ink) + next_text(report.next, ink);
}

std::string cert_document(const CertReport& report) {
  return ok_document(
      {{"did", report.did}, {"what", report.what}, {"files", report.files}, {"next", report.next}});
}

std::string certificates_text(const std::vector<ListedCertificate>& all, const Ink& ink) {
  if (all.empty()) return "no certificates so far\n" + next_text({"espalier cert node NAME"}, ink);
  Table table({{"node"}, {"state"}, {"until"}, {"fingerprint"}});
  for (const ListedCertificate& one : all) {
    table.add({{one.name, Style::Bold},
               {one.state, style_of_state(one.state)},
               {one.until},
               {one.fingerprint.substr(0, kShownDigits)}});
  }
  return table.text(ink);
}

std::string certificates_document(const std::vector<ListedCertificate>& all) {
  Json listed = Json::array();
  for (const ListedCertificate& one : all) {
    listed.push_back({{"name", one.name},
                      {"state", one.state},
                      {"until", one.until},
                      {"fingerprint", one.fingerprint}});
  }
  return ok_document({{"certificates", std::move(listed)}});
}

}  // namespace espalier
