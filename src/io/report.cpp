// SPDX-License-Identifier: Apache-2.0
#include "io/report.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "io/wording.h"

namespace espalier {

Field Field::item(std::size_t index) const {
  return {&node->items[index], fmt::format("{}[{}]", path, index)};
}

Field Field::value(const Entry& entry) const { return {&entry.value, path_of(entry.key)}; }

std::string Field::path_of(std::string_view key) const {
  return path.empty() ? shown(key) : path + "." + shown(key);
}

void Report::error(const Field& at, std::string what, std::string hint) {
  error(at.node->mark, at.path, std::move(what), std::move(hint));
}

void Report::error(Mark mark, std::string path, std::string what, std::string hint) {
  ++errors_;
  add(Diagnostic::Severity::Error, mark,
      {.key = std::move(path), .what = std::move(what), .hint = std::move(hint)});
}

void Report::warning(Mark mark, std::string path, std::string what, std::string hint) {
  add(Diagnostic::Severity::Warning, mark,
      {.key = std::move(path), .what = std::move(what), .hint = std::move(hint)});
}

void Report::add(Diagnostic::Severity severity, Mark mark, Diagnostic diagnostic) {
  if (is_full()) {
    ++left_out_;
    return;
  }
  const bool is_file = mark.source == 0;
  diagnostic.severity = severity;
  diagnostic.file = sources_[static_cast<std::size_t>(mark.source)];
  diagnostic.line = is_file ? mark.line : 0;
  diagnostic.column = is_file ? mark.column : 0;
  diagnostics_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Report::take() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                   });
  if (left_out_ > 0) {
    const auto severity =
        has_errors() ? Diagnostic::Severity::Error : Diagnostic::Severity::Warning;
    diagnostics_.push_back({.severity = severity,
                            .file = sources_[0],
                            .what = fmt::format("has {} more problems", left_out_),
                            .hint = "mend these first, then check again"});
  }
  return std::move(diagnostics_);
}

}  // namespace espalier
