// SPDX-License-Identifier: Apache-2.0
// Traces ⇄ CSV. Numbers survive the round trip to the last digit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "io/trace_columns.h"

namespace espalier {

inline constexpr std::size_t kLargestTraceFile = std::size_t{1} << 30;

// Without the end of the line.
std::string trace_line(const TraceRow& row);

// Throws Error{BadInput} that begins with `where`, as in "traces.csv:14".
TraceRow parse_trace_line(std::string_view line, const std::string& where);

// Header and rows.
std::string trace_text(const std::vector<TraceRow>& rows);

// Every fault is an Error{BadInput} with file, line and hint: a wrong header, a value out of its
// bounds, a line that is cut off (its event is missing), the same step of a run twice.
std::vector<TraceRow> parse_traces(std::string_view text, const std::string& file);

// The same for a file from elsewhere: columns in any order, all but run, epoch and loss optional. A
// name that is absent is empty, a count or ratio 0, an event "epoch" (at epoch 0 "start"), a figure
// NaN. Losses and other figures may also be empty, nan or infinite in single lines: NaN as well.
std::vector<TraceRow> parse_foreign_traces(std::string_view text, const std::string& file);

// Ours or from elsewhere. Throws Error{BadInput} also where the file cannot be read or is larger
// than kLargestTraceFile.
std::vector<TraceRow> load_traces(const std::filesystem::path& path);

}  // namespace espalier
