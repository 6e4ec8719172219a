// SPDX-License-Identifier: Apache-2.0
#include "render/init_report.h"

#include "render/json.h"
#include "render/sections.h"
#include "render/table.h"

namespace espalier {
namespace {

std::vector<std::string> next_commands(const InitReport& report) {
  const std::string file = shell_word(report.file);
  return {"espalier plan " + file, "espalier plan " + file + " --explain",
          "espalier compare " + file};
}

}  // namespace

std::string init_text(const InitReport& report, const Ink& ink) {
  return ink(Style::Good, "wrote ") + printable(report.file) + "\n" +
         hanging("      ", printable(report.summary)) + next_text(next_commands(report), ink);
}

std::string init_document(const InitReport& report) {
  return ok_document(
      {{"file", report.file}, {"example", report.example}, {"next", next_commands(report)}});
}

std::string examples_text(const std::vector<ListedExample>& examples, const Ink& ink) {
  Table table({{"example"}, {"what it shows", Align::Left, Fit::Wrap}});
  for (const ListedExample& e : examples)
    table.add({{e.name, Style::Bold}, {printable(e.summary)}});
  return table.text(ink) + next_text({"espalier init --example NAME"}, ink);
}

std::string examples_document(const std::vector<ListedExample>& examples) {
  Json all = Json::array();
  for (const ListedExample& e : examples) all.push_back({{"name", e.name}, {"summary", e.summary}});
  return ok_document({{"examples", std::move(all)}});
}

}  // namespace espalier
