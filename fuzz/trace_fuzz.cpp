// SPDX-License-Identifier: Apache-2.0
// Any bytes as a trace file: no crash, no hang; what is accepted survives the round trip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "io/trace_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    const auto rows = espalier::parse_traces(text, "fuzz.csv");
    if (espalier::parse_traces(espalier::trace_text(rows), "again.csv") != rows) std::abort();
  } catch (const espalier::Error& error) {
    if (error.code() != espalier::ErrorCode::BadInput || error.hint().empty()) std::abort();
  }
  return 0;
}
