// SPDX-License-Identifier: Apache-2.0
#include "wire/names.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(WireNames, AreSafeAsNamesOfFiles) {
  EXPECT_TRUE(is_wire_name("gold-1.site_A"));
  for (const char* bad : {"", ".", "..", "a/b", "a b", "ä", "a\n"})
    EXPECT_FALSE(is_wire_name(bad)) << bad;
  EXPECT_TRUE(is_wire_name(std::string(64, 'x')));
  EXPECT_FALSE(is_wire_name(std::string(65, 'x')));
}

TEST(ObjectRefs, AreDigestsInHexadecimal) {
  EXPECT_TRUE(is_object_ref({std::string(64, 'a'), 0}));
  EXPECT_FALSE(is_object_ref({std::string(64, 'A'), 0}));
  EXPECT_FALSE(is_object_ref({std::string(63, 'a'), 0}));
  EXPECT_FALSE(is_object_ref({std::string(63, 'a') + "/", 0}));
}

}  // namespace
}  // namespace espalier
