// SPDX-License-Identifier: Apache-2.0
#include "io/wording.h"

#include <vector>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Wording, MakesForeignTextSafeToPrint) {
  EXPECT_EQ(shown("gold"), "gold");
  EXPECT_EQ(shown("a\x1b[31m\n\x7f"), "a?[31m??");
  EXPECT_EQ(shown("\xC2\x9B"
                  "31m"),
            "?31m");
  EXPECT_EQ(shown("\xFFx"), "?x");
  EXPECT_EQ(shown("größe"), "größe");
  EXPECT_EQ(shown(std::string(100, 'x')), std::string(64, 'x') + "…");
}

TEST(Wording, CutsLongLists) {
  EXPECT_EQ(listed(std::vector<std::string>{"L", "M"}), "L, M");
  EXPECT_EQ(listed(std::vector<std::string>(14, "x")),
            "x, x, x, x, x, x, x, x, x, x, x, x and 2 more");
}

}  // namespace
}  // namespace espalier
