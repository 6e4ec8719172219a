// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/fuzzing/fuzzed_bytes.h"
#include "wire/address.h"

namespace espalier {
namespace {

TEST(FuzzedAddress, IsRefusedOrUnderstood) {
  support::expect_sound({{"address",
                          {"10.0.0.1:4430", "localhost:1", "[::1]:65535"},
                          [](std::string_view bytes) {
                            const std::string address(bytes);
                            check_address(address, Port::IsNeeded);
                            EXPECT_FALSE(parts_of(address).host.empty());
                            return std::string();
                          }}},
                        support::kAllBytes);
}

}  // namespace
}  // namespace espalier
