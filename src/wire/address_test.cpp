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

TEST(Address, HasAHostAndAPort) {
  EXPECT_EQ(parts_of("head.example:4430").host, "head.example");
  EXPECT_EQ(parts_of("head.example:65535").port, 65535);
  EXPECT_EQ(parts_of("[::1]:4430").host, "::1");
  EXPECT_EQ(parts_of("::1:4430").host, "::1");
}

TEST(Address, OfLoopbackIsAnAddressAndNotANameThatLooksLikeOne) {
  for (const char* here : {"localhost:1", "127.0.0.1:1", "127.8.8.8:1", "[::1]:1"})
    EXPECT_TRUE(is_loopback(here)) << here;
  for (const char* elsewhere :
       {"127.head.invalid:1", "127.0.0.1.invalid:1", "0.0.0.0:1", "head.invalid:127", "10.0.0.1:1",
        "[fe80::1]:1", "localhost.invalid:1"})
    EXPECT_FALSE(is_loopback(elsewhere)) << elsewhere;
}

TEST(Address, OfLoopbackIsSoHoweverItIsSpelled) {
  for (const char* here :
       {"127.1:1", "127.0.1:1", "2130706433:1", "0x7f000001:1", "0177.1:1", "::1:1", "[0::1]:1",
        "[0:0:0:0:0:0:0:1]:1", "[::ffff:127.0.0.1]:1", "Localhost:1", "LOCALHOST:1", "localhost.:1",
        "ip6-localhost:1", "ip6-loopback:1", "some.localhost:1"})
    EXPECT_TRUE(is_loopback(here)) << here;
}

TEST(Address, IsUnspecifiedHoweverItIsSpelled) {
  for (const char* any :
       {"0.0.0.0:1", "0:1", "0x0:1", "[::]:1", "[0:0::0]:1", "[::ffff:0.0.0.0]:1"})
    EXPECT_TRUE(is_unspecified(any)) << any;
  for (const char* one : {"127.0.0.1:1", "10.0.0.1:1", "[::1]:1", "0.head.invalid:1"})
    EXPECT_FALSE(is_unspecified(one)) << one;
}

}  // namespace
}  // namespace espalier
