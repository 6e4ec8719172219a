// SPDX-License-Identifier: Apache-2.0
// Traces ⇄ CSV. Numbers survive the round trip to the last digit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace espalier {

// The first line of every trace file.
inline constexpr std::string_view kTraceHeader =
    "run,seed,epoch,model,nodes,prune,samples,classes,loss,val_loss,time,energy,event";

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

// Throws Error{BadInput} also where the file cannot be read or is larger than kLargestTraceFile.
std::vector<TraceRow> load_traces(const std::filesystem::path& path);

}  // namespace espalier
