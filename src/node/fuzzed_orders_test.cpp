// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "node/crew_order.h"
#include "node/own_data.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

using support::Decoder;

Decoder crew_orders() {
  return {"order of a crew", {bytes_of(order_of({}))}, [](std::string_view bytes) {
            if (const auto order = order_in(std::string(bytes))) {
              options_of(*order);
              return std::string();
            }
            throw Error(ErrorCode::BadInput, "no order");
          }};
}

Decoder own_parts() {
  return {"part of a data set", {"all", "500", "2/3", "2/3:500"}, [](std::string_view bytes) {
            const OwnPart part = parse_own_part(std::string(bytes));
            EXPECT_LE(part.part, part.parts);
            return std::string();
          }};
}

TEST(FuzzedOrders, AreRefusedOrUnderstoodByNodes) {
  support::expect_sound({crew_orders(), own_parts()}, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
