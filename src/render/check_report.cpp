// SPDX-License-Identifier: Apache-2.0
#include "render/check_report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "render/figures.h"
#include "render/json.h"
#include "render/text.h"

namespace espalier {
namespace {

const char* kind_of(const LearnSpec& learn) {
  if (const auto* file = std::get_if<RuleFile>(&learn.rule)) {
    return file->kind == RuleFile::Kind::Traces ? "traces" : "fitted";
  }
  constexpr const char* kKinds[] = {"power", "steps", "curve"};
  return kKinds[std::get<RuleShape>(learn.rule).index()];
}

std::string rule_kinds(const Scenario& scenario) {
  std::set<std::string> kinds;
  for (const RunSpec& run : scenario.runs) kinds.insert(kind_of(run.learn));
  std::string text;
  for (const std::string& kind : kinds) text += (text.empty() ? "" : " and ") + kind;
  return text + " rules";
}

bool is_noisy(const Scenario& scenario) {
  const auto noisy_run = [](const RunSpec& run) { return run.learn.noise != NoiseSpec{}; };
  const auto noisy_jump = [](const ModelChangeSpec& row) { return row.jump.noise != 0; };
  return std::any_of(scenario.runs.begin(), scenario.runs.end(), noisy_run) ||
         std::any_of(scenario.model_changes.begin(), scenario.model_changes.end(), noisy_jump);
}

bool any_node_set(const Scenario& scenario, bool (*has)(const NodeSetSpec&)) {
  return std::any_of(scenario.node_sets.begin(), scenario.node_sets.end(), has);
}

std::string extras(const Scenario& scenario) {
  std::string text;
  const auto add = [&](bool there, const char* what) {
    if (there) text += (text.empty() ? "; with " : ", ") + std::string(what);
  };
  add(is_noisy(scenario), "noise");
  add(any_node_set(scenario, [](const NodeSetSpec& n) { return !n.data_options.empty(); }),
      "data options");
  add(any_node_set(scenario, [](const NodeSetSpec& n) { return !n.levels.empty(); }), "levels");
  add(!scenario.truth.runs.empty() || !scenario.truth.jumps.empty(), "truth");
  add(scenario.training.has_value(), "training");
  add(scenario.collect.has_value(), "experiments to collect");
  return text;
}

std::size_t placement_count(const Scenario& scenario) {
  std::size_t count = 0;
  for (const RunSpec& run : scenario.runs) {
    count += std::max<std::size_t>(1, scenario.node_sets[run.nodes.pos()].levels.size());
  }
  return count;
}

// A coloured word, then text that hangs beside it.
std::string marked(const std::string& painted, const std::string& text) {
  const std::string lines = hanging("         ", printable(text));
  return painted + lines.substr(9);
}

std::string diagnostic_text(const Diagnostic& diagnostic, const Ink& ink) {
  const bool is_error = diagnostic.severity == Diagnostic::Severity::Error;
  const std::string mark =
      is_error ? ink(Style::Bad, "error    ") : ink(Style::Warning, "warning  ");
  const std::string text = marked(mark, diagnostic.text());
  return diagnostic.hint.empty() ? text : text + hanging("         → ", printable(diagnostic.hint));
}

std::string file_text(const CheckedFile& file, const Ink& ink) {
  std::string text;
  for (const Diagnostic& d : file.diagnostics) text += diagnostic_text(d, ink);
  if (!file.scenario) return text;
  return text +
         marked(ink(Style::Good, "fine     "), file.file + ": " + summary_of(*file.scenario));
}

Json diagnostic_json(const Diagnostic& d) {
  return {{"severity", d.severity == Diagnostic::Severity::Error ? "error" : "warning"},
          {"file", d.file},
          {"line", d.line > 0 ? Json(d.line) : Json()},
          {"column", d.column > 0 ? Json(d.column) : Json()},
          {"key", d.key},
          {"what", d.what},
          {"hint", d.hint},
          {"message", d.text()}};
}

}  // namespace

std::size_t CheckReport::count(Diagnostic::Severity severity) const {
  std::size_t total = 0;
  for (const CheckedFile& file : files) {
    total += static_cast<std::size_t>(
        std::count_if(file.diagnostics.begin(), file.diagnostics.end(),
                      [&](const Diagnostic& d) { return d.severity == severity; }));
  }
  return total;
}

std::string summary_of(const Scenario& scenario) {
  const auto some = [](std::size_t count, const char* thing) {
    return counted(static_cast<long long>(count), thing);
  };
  const std::string placements =
      scenario.runs.empty()
          ? "no run table yet"
          : some(placement_count(scenario), "placement") + ", " + rule_kinds(scenario);
  return fmt::format("{}, {}, {}{}", some(scenario.models.size(), "model"),
                     some(scenario.node_sets.size(), "node set"), placements, extras(scenario));
}

std::string check_text(const CheckReport& report, const Ink& ink) {
  std::string text;
  for (const CheckedFile& file : report.files) text += file_text(file, ink);
  const auto errors = static_cast<long long>(report.count(Diagnostic::Severity::Error));
  const auto warnings = static_cast<long long>(report.count(Diagnostic::Severity::Warning));
  if (errors + warnings == 0 && report.files.size() == 1) return text;
  return text + fmt::format("{} checked: {}, {}\n",
                            counted(static_cast<long long>(report.files.size()), "file"),
                            counted(errors, "error"), counted(warnings, "warning"));
}

std::string check_document(const CheckReport& report) {
  Json data{{"files", Json::array()},
            {"errors", report.count(Diagnostic::Severity::Error)},
            {"warnings", report.count(Diagnostic::Severity::Warning)}};
  for (const CheckedFile& file : report.files) {
    Json row{{"file", file.file},
             {"valid", file.scenario.has_value()},
             {"scenario", file.scenario ? Json(file.scenario->name) : Json()},
             {"summary", file.scenario ? Json(summary_of(*file.scenario)) : Json()},
             {"diagnostics", Json::array()}};
    for (const Diagnostic& d : file.diagnostics) row["diagnostics"].push_back(diagnostic_json(d));
    data["files"].push_back(std::move(row));
  }
  return ok_document(std::move(data));
}

}  // namespace espalier
