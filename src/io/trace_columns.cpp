// SPDX-License-Identifier: Apache-2.0
#include "io/trace_columns.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"

namespace espalier {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kMostNames = 1000;
constexpr std::array kRequired{TraceColumn::Run, TraceColumn::Epoch, TraceColumn::TrainingLoss};

std::vector<std::string> split_at_commas(std::string_view line) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = line.find(',');
    parts.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

std::string without_blanks_around(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

const std::vector<std::string>& known_names() {
  static const std::vector<std::string> names = split_at_commas(kTraceHeader);
  return names;
}

// A line of values instead of names deserves another answer than a misspelt name.
[[noreturn]] void refuse_line(const std::string& where) {
  throw Error(ErrorCode::BadInput, where + ": is not the first line of a trace file",
              "it must name the columns: " + std::string(kTraceHeader));
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::BadInput, what, hint);
}

void place_column(TraceColumns& columns, const std::string& name, const std::string& where) {
  const auto& known = known_names();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    refuse(fmt::format("{}: unknown column '{}'{}", where, shown(name), did_you_mean(name, known)),
           "remove the column; those of a trace file are " + std::string(kTraceHeader));
  }
  auto& place = columns.places[static_cast<std::size_t>(found - known.begin())];
  if (place) refuse(fmt::format("{}: has the column {} twice", where, name), "remove one of them");
  place = columns.count;
}

void check_required(const TraceColumns& columns, const std::string& where) {
  for (const TraceColumn column : kRequired) {
    if (columns.place(column)) continue;
    refuse(fmt::format("{}: the column {} is missing", where, name_of(column)),
           "run, epoch and loss must be there; other columns may be missing");
  }
}

std::vector<std::string> names_in(std::string_view header, const std::string& where) {
  const auto commas = static_cast<std::size_t>(std::count(header.begin(), header.end(), ','));
  if (commas > kMostNames) refuse_line(where);
  std::vector<std::string> names = split_at_commas(header);
  for (std::string& name : names) name = without_blanks_around(name);
  const auto is_known = [](const std::string& name) {
    return nearest(name, known_names()).has_value();
  };
  // One alone may be the event of a row.
  if (std::count_if(names.begin(), names.end(), is_known) < 2) refuse_line(where);
  return names;
}

}  // namespace

std::string_view name_of(TraceColumn column) {
  return known_names()[static_cast<std::size_t>(column)];
}

TraceColumns own_columns() { return parse_columns(kTraceHeader, ""); }

TraceColumns parse_columns(std::string_view header, const std::string& where) {
  if (header.starts_with(kByteOrderMark)) header.remove_prefix(kByteOrderMark.size());
  const std::vector<std::string> names = names_in(header, where);
  TraceColumns columns{.header = std::string(header)};
  for (const std::string& name : names) {
    place_column(columns, name, where);
    ++columns.count;
  }
  check_required(columns, where);
  return columns;
}

}  // namespace espalier
