// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gtest/gtest.h>

#include "node/crew_address.h"
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

Decoder crew_addresses() {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    static const std::map<std::string, std::string> all{{"SLURM_PROCID", "0"},
                                                        {"SLURM_NTASKS", "2"},
                                                        {"SLURM_NNODES", "1"},
                                                        {"SLURM_JOB_ID", "7"},
                                                        {"SLURM_STEP_ID", "0"}};
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  return {"address of a crew", {"auto", "10.0.0.1:4430", "[::1]:99"}, [=](std::string_view bytes) {
            crew_address(std::string(bytes), {variable});
            return std::string();
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
  support::expect_sound({crew_orders(), crew_addresses(), own_parts()}, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
