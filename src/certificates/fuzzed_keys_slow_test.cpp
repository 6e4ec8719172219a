// SPDX-License-Identifier: Apache-2.0
#include "certificates/fuzzed_keys.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(FuzzedKeys, AreRefusedOrUnderstood) {
  support::expect_sound({fuzzed_keys()}, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
