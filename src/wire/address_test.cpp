// SPDX-License-Identifier: Apache-2.0
#include "wire/address.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

TEST(Address, HasAPortThatThereIs) {
  for (const char* good : {"127.0.0.1:1", "head.example:65535", "[::1]:4430"})
    EXPECT_NO_THROW(check_address(good, Port::IsNeeded)) << good;
  for (const char* bad : {"head", "head:", ":1", "head:0", "head:65536", "head:99999", "head:-1",
                          "head:1x", "head: 1", "head:99999999999999999999"})
    EXPECT_THROW(check_address(bad, Port::IsNeeded), Error) << bad;
}

TEST(Address, MayLeaveThePortToTheSystemWhereOneListens) {
  EXPECT_NO_THROW(check_address("127.0.0.1:0", Port::MayBeChosen));
  try {
    check_address("127.0.0.1:99999", Port::MayBeChosen);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_EQ(error.hint(), "ports are numbers from 0 to 65535; 0 takes one that is free");
  }
}

TEST(Address, OfLoopbackIsAnAddressAndNotANameThatLooksLikeOne) {
  for (const char* here : {"localhost:1", "127.0.0.1:1", "127.8.8.8:1", "[::1]:1"})
    EXPECT_TRUE(is_loopback(here)) << here;
  for (const char* elsewhere : {"127.head.site:1", "127.0.0.1.site:1", "0.0.0.0:1", "head:127"})
    EXPECT_FALSE(is_loopback(elsewhere)) << elsewhere;
}

}  // namespace
}  // namespace espalier
