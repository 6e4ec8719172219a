// SPDX-License-Identifier: Apache-2.0
#include "datasets/class_names.h"

#include "datasets/sample_files.h"

namespace espalier {
namespace {

using Names = std::vector<std::string>;

TEST(ClassNames, AreLinesWithoutTheEmptyOnesAtTheEnd) {
  EXPECT_EQ(parse_class_names("cat\r\ndog\n\n\n", "c.txt"), (Names{"cat", "dog"}));
  EXPECT_EQ(parse_class_names("cat\ndog", "c.txt"), (Names{"cat", "dog"}));
  EXPECT_TRUE(parse_class_names("", "c.txt").empty());
}

TEST(ClassNames, RefuseWhatIsNoName) {
  const auto parse = [](std::string text) { return [=] { parse_class_names(text, "c.txt"); }; };
  EXPECT_TRUE(refuses(parse("cat\n\ndog"), "c.txt:2: a class without a name"));
  EXPECT_TRUE(refuses(parse("cat\ndog\ncat"), "c.txt:3: class 'cat' is there already"));
  EXPECT_TRUE(refuses(parse("ca\x1b[31mt"), "c.txt:1: class name 'ca?[31mt' is not printable"));
  EXPECT_TRUE(refuses(parse(std::string(65, 'x')), "longer than 64 bytes"));
}

TEST(ClassNames, MayBeMissing) { EXPECT_FALSE(read_class_names("no/such/file.txt").has_value()); }

}  // namespace
}  // namespace espalier
