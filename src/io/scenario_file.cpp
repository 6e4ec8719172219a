// SPDX-License-Identifier: Apache-2.0
#include "io/scenario_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/map_reader.h"
#include "io/scenario_check.h"
#include "io/scenario_reader.h"
#include "io/text_file.h"

namespace espalier {
namespace {

ScenarioReading refuse(const std::string& file, const Mark& mark, std::string what,
                       std::string hint) {
  Diagnostic problem{.file = file,
                     .line = mark.line,
                     .column = mark.column,
                     .what = std::move(what),
                     .hint = std::move(hint)};
  return {std::nullopt, {std::move(problem)}};
}

std::string name_after(const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  return is_name(stem) ? stem : "scenario";
}

ScenarioReading interpret(const DocumentNode& root, const std::string& file, Report& report) {
  Scenario scenario = read_scenario_tree(root, report);
  if (scenario.name.empty()) scenario.name = name_after(file);
  if (!report.has_errors()) check_scenario(scenario, root, report);
  const bool is_sound = !report.has_errors();
  return {is_sound ? std::optional(std::move(scenario)) : std::nullopt, report.take()};
}

}  // namespace

ScenarioReading read_scenario(std::string_view text, const std::string& file,
                              std::span<const Setting> settings) {
  auto document = parse_document(text);
  if (auto* fault = std::get_if<DocumentFault>(&document)) {
    return refuse(file, fault->mark, fault->what, fault->hint);
  }
  DocumentNode& root = std::get<DocumentNode>(document);
  const std::string hint = "begin with espalier: 1, or let 'espalier init' write a scenario";
  if (root.kind == DocumentNode::Kind::Null) return refuse(file, {}, "the file is empty", hint);
  if (root.kind != DocumentNode::Kind::Map)
    return refuse(file, root.mark, "not a map of keys", hint);
  Report report(source_names(file, settings));
  apply_settings(root, settings, report);
  return interpret(root, file, report);
}

ScenarioReading read_scenario_file(const std::filesystem::path& path,
                                   std::span<const Setting> settings) {
  const auto text = read_text_file(path, DocumentLimits{}.bytes);
  if (const auto* fault = std::get_if<FileFault>(&text)) {
    return refuse(path.string(), {}, fault->what, fault->hint);
  }
  return read_scenario(std::get<std::string>(text), path.string(), settings);
}

Scenario load_scenario(const std::filesystem::path& path, std::span<const Setting> settings) {
  ScenarioReading reading = read_scenario_file(path, settings);
  if (reading.scenario) return std::move(*reading.scenario);
  const auto is_error = [](const Diagnostic& d) {
    return d.severity == Diagnostic::Severity::Error;
  };
  const auto& all = reading.diagnostics;
  const auto first = std::find_if(all.begin(), all.end(), is_error);
  const auto more = std::count_if(all.begin(), all.end(), is_error) - 1;
  const std::string rest =
      more > 0 ? fmt::format(" (and {} more; 'espalier check' lists them)", more) : "";
  throw Error(ErrorCode::BadInput, first->text() + rest, first->hint);
}

}  // namespace espalier
