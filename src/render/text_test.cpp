// SPDX-License-Identifier: Apache-2.0
#include "render/text.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(DisplayWidth, CountsColumnsAndNotBytes) {
  EXPECT_EQ(display_width("gold"), 4);
  EXPECT_EQ(display_width("≤ né"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("金属"), 4);
  EXPECT_EQ(display_width("█▌"), 2);
}

TEST(Printable, DisarmsEscapeSequences) {
  EXPECT_EQ(printable("a\x1b[31mb\nc"), "a?[31mb?c");
  EXPECT_EQ(printable("\xff\xfe"), "??");
  EXPECT_EQ(printable("abc\u202Ecba"), "abc?cba");
  EXPECT_EQ(printable("né"), "né");
}

TEST(CutTo, SaysThatSomethingIsMissing) {
  EXPECT_EQ(cut_to("bronze", 6), "bronze");
  EXPECT_EQ(cut_to("bronze", 4), "bro…");
  EXPECT_EQ(cut_to("金属金属", 4), "金…");
}

TEST(Wrap, BreaksAtSpacesAndCutsWhatIsTooLong) {
  EXPECT_EQ(wrap("a bb ccc", 4), (std::vector<std::string>{"a bb", "ccc"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("", 3), (std::vector<std::string>{""}));
}

TEST(Hanging, IndentsWhatFollows) { EXPECT_EQ(hanging("· ", "aa bb", 5), "· aa\n  bb\n"); }

TEST(ShellWord, QuotesWhatAShellWouldReadOtherwise) {
  EXPECT_EQ(shell_word("a/b.yaml"), "a/b.yaml");
  EXPECT_EQ(shell_word("my file"), "'my file'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace espalier
