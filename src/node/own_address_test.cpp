// SPDX-License-Identifier: Apache-2.0
#include "node/own_address.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

TEST(OwnAddress, DependsOnWhomItIsFor) {
  EXPECT_EQ(own_address_towards({"127.0.0.1", 4711}), "127.0.0.1");
  EXPECT_EQ(own_address_towards({"0.0.0.0", 4711}), "127.0.0.1");
  EXPECT_THROW(own_address_towards({"head.invalid", 4711}), Error);
}

}  // namespace
}  // namespace espalier
