// SPDX-License-Identifier: Apache-2.0
#include "files/written_file.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace espalier {
namespace {

TEST(WrittenFile, BeginsAnewOrGoesOnAtItsEnd) {
  const TemporaryFolder folder;
  for (const char* text : {"a", "b"}) WrittenFile(folder / "x", WrittenFile::From::End).write(text);
  EXPECT_EQ(folder.read("x"), "ab");
  WrittenFile(folder / "x", WrittenFile::From::Anew).write("c");
  EXPECT_EQ(folder.read("x"), "c");
}

TEST(WrittenFile, FollowsNoLink) {
  const TemporaryFolder folder;
  folder.write("target", "kept");
  std::filesystem::create_symlink(folder / "target", folder / "link");
  for (const auto from : {WrittenFile::From::Anew, WrittenFile::From::End}) {
    WrittenFile file(folder / "link", from);
    file.write("x");
    EXPECT_FALSE(file.is_sound());
  }
  EXPECT_EQ(folder.read("target"), "kept");
}

TEST(WrittenFile, IsNotOneThatHasAnotherName) {
  const TemporaryFolder folder;
  folder.write("target", "kept");
  std::filesystem::create_hard_link(folder / "target", folder / "link");
  for (const auto from : {WrittenFile::From::Anew, WrittenFile::From::End}) {
    WrittenFile file(folder / "link", from);
    file.write("x");
    EXPECT_FALSE(file.is_sound());
  }
  EXPECT_EQ(folder.read("target"), "kept");
}

}  // namespace
}  // namespace espalier
