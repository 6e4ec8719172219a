// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "experiments/branch_record.h"
#include "experiments/messages.h"
#include "io/trace_file.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

TEST(FuzzedLines, AreRefusedOrUnderstoodByCollectorAndTrainer) {
  TraceRow row{.run = "1/gold", .seed = 1, .epoch = 3, .model = "L", .nodes = "gold"};
  row.loss = {1.0 / 3};
  const EnergySource source{Provenance::Modelled, "a100: 400 W × load"};
  const std::vector<support::Decoder> decoders{
      {"order",
       {to_line(Order{"1/gold/5x0.5/silver", 0, 5, true})},
       [](std::string_view bytes) { return to_line(parse_order(bytes)); },
       {ErrorCode::RunFailed}},
      {"answer",
       {to_line(Ready{}), to_line(source), to_line(row), to_line(Done{}),
        to_line(Failed{ErrorCode::BadInput, "a", "b"})},
       [](std::string_view bytes) { return to_line(parse_answer(bytes)); },
       {ErrorCode::RunFailed}},
      {"record", {record_text({{source}, {row}})}, [](std::string_view bytes) {
         return record_text(parse_record(bytes, "f"));
       }}};
  support::expect_sound(decoders, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
