// SPDX-License-Identifier: Apache-2.0
// Any bytes as a trace file, ours or from elsewhere: no crash, no hang. What is accepted as ours
// survives the round trip, and is the same from elsewhere.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "io/trace_file.h"

namespace {

template <class Read>
void expect_reason_if_refused(Read read) {
  try {
    read();
  } catch (const espalier::Error& error) {
    if (error.code() != espalier::ErrorCode::BadInput || error.hint().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  expect_reason_if_refused([&] {
    const auto rows = espalier::parse_traces(text, "fuzz.csv");
    if (espalier::parse_traces(espalier::trace_text(rows), "again.csv") != rows) std::abort();
    if (espalier::parse_foreign_traces(text, "elsewhere.csv") != rows) std::abort();
  });
  expect_reason_if_refused([&] { espalier::parse_foreign_traces(text, "fuzz.csv"); });
  return 0;
}
