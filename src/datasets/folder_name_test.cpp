// SPDX-License-Identifier: Apache-2.0
#include "datasets/folder_name.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(FolderName, IsTheLastPartOfThePath) {
  EXPECT_EQ(folder_name("/some/where"), "where");
  EXPECT_EQ(folder_name("/some/where/"), "where");
  EXPECT_EQ(folder_name("/some/where/."), "where");
  EXPECT_EQ(folder_name("where"), "where");
  EXPECT_EQ(folder_name("."), std::filesystem::current_path().filename());
}

}  // namespace
}  // namespace espalier
