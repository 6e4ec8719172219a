// SPDX-License-Identifier: Apache-2.0
#include "io/document.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

std::string repeated(const std::string& text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

DocumentNode parsed(std::string_view text) {
  auto result = parse_document(text);
  const auto* fault = std::get_if<DocumentFault>(&result);
  EXPECT_EQ(fault, nullptr) << fault->what << " in line " << fault->mark.line;
  return fault == nullptr ? std::get<DocumentNode>(std::move(result)) : DocumentNode{};
}

TEST(Document, KeepsOrderMarksAndQuotes) {
  const DocumentNode root = parsed("b: 1\na: {x: '2', y: [3, ~]}\n\nlast:\n  - z\n");
  ASSERT_EQ(root.entries.size(), 3U);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[2].key, "last");
  EXPECT_EQ(root.entries[2].mark.line, 4);
  const DocumentNode& a = *root.find("a");
  EXPECT_TRUE(a.find("x")->quoted);
  EXPECT_FALSE(root.find("b")->quoted);
  EXPECT_EQ(a.find("y")->items[0].text, "3");
  EXPECT_EQ(a.find("y")->items[0].mark.line, 2);
  EXPECT_EQ(a.find("y")->items[0].mark.column, 17);
  EXPECT_EQ(a.find("y")->items[1].kind, DocumentNode::Kind::Null);
  EXPECT_EQ(root.find("last")->items[0].mark.line, 5);
}

TEST(Document, MarksAMapByItsKey) {
  EXPECT_EQ(parsed("a: 1\nb:\n  c: 2\n").find("b")->mark.line, 2);
}

TEST(Document, KeepsRepeatedKeysForTheReaderToReport) {
  EXPECT_EQ(parsed("a: 1\na: 2\n").entries.size(), 2U);
}

TEST(Document, AcceptsJson) {
  const DocumentNode root = parsed("{\"a\": [1, 2.5], \"b\": {\"c\": \"x\"}}");
  EXPECT_EQ(root.find("a")->items[1].text, "2.5");
  EXPECT_TRUE(root.find("b")->find("c")->quoted);
}

TEST(Document, AcceptsByteOrderMarkAndWindowsLines) {
  const DocumentNode root = parsed(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: x y\r\n");
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.find("b")->text, "x y");
  EXPECT_EQ(root.find("b")->mark.line, 2);
}

TEST(Document, TakesAnEmptyTextForNull) {
  for (const char* text : {"", "\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(parsed(text).kind, DocumentNode::Kind::Null) << text;
  }
}

struct DocumentFaultCase {
  std::string text;
  int line;
  std::string what;
};

class DocumentFaults : public testing::TestWithParam<DocumentFaultCase> {};

TEST_P(DocumentFaults, AreReportedWithTheirLine) {
  const auto result = parse_document(GetParam().text);
  ASSERT_TRUE(std::holds_alternative<DocumentFault>(result));
  EXPECT_EQ(std::get<DocumentFault>(result).what, GetParam().what);
  EXPECT_EQ(std::get<DocumentFault>(result).mark.line, GetParam().line);
  EXPECT_NE(std::get<DocumentFault>(result).hint, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, DocumentFaults,
    testing::Values(
        DocumentFaultCase{"a: &x 1\nb: 2\n", 1, "an anchor (&name) is not allowed"},
        DocumentFaultCase{"a: 1\nb: &x [1]\n", 2, "an anchor (&name) is not allowed"},
        DocumentFaultCase{"a: &x 1\nb: *x\n", 1, "an anchor (&name) is not allowed"},
        DocumentFaultCase{"a: 1\nb: *x\n", 2,
                          "not valid YAML: the referenced anchor is not defined"},
        DocumentFaultCase{"a: !!str 1\n", 1, "a tag (!name) is not allowed"},
        DocumentFaultCase{"a: 1\nb: !thing {}\n", 2, "a tag (!name) is not allowed"},
        DocumentFaultCase{"a: 1\n---\nb: 2\n", 2, "a second document begins here"},
        DocumentFaultCase{"? [a]\n: 1\n", 1, "a key must be a word"},
        DocumentFaultCase{"a: 1\nb: {c: 1\n", 3, "not valid YAML: end of map flow not found"},
        DocumentFaultCase{"a: 1\n\tb: 2\n", 2,
                          "not valid YAML: illegal tab when looking for indentation"},
        DocumentFaultCase{"a: 1\nb: \xFF\n", 2, "bytes that are not UTF-8"},
        DocumentFaultCase{"a: \xC0\xAF\n", 1, "bytes that are not UTF-8"},
        DocumentFaultCase{"a: \xED\xA0\x80\n", 1, "bytes that are not UTF-8"},
        DocumentFaultCase{"a: 1\n\nb: \xE2\x82", 3, "bytes that are not UTF-8"},
        DocumentFaultCase{std::string("a: 1\nb\0: 2\n", 11), 2, "a NUL byte"},
        DocumentFaultCase{"\xFF\xFE"
                          "a: 1",
                          1, "bytes that are not UTF-8"},
        DocumentFaultCase{repeated("[", 40), 1, "nested more than 32 levels deep"},
        DocumentFaultCase{repeated("[", 1'000'000), 0, "more than 200000 values"},
        DocumentFaultCase{repeated("{a: ", 100'000), 1, "nested more than 32 levels deep"},
        DocumentFaultCase{repeated("- ", 100'000), 1, "nested more than 32 levels deep"},
        DocumentFaultCase{"a: [" + repeated("1,", 200'001) + "]", 0, "more than 200000 values"},
        DocumentFaultCase{repeated("- 1\n", 300'000), 200'000, "more than 200000 values"},
        DocumentFaultCase{repeated("#", (4 << 20) + 1), 0, "larger than 4 MiB"}));

TEST(Document, GivesSettingsTheirSource) {
  const auto result = parse_document("{a: 1}", 3);
  EXPECT_EQ(std::get<DocumentNode>(result).find("a")->mark.source, 3);
}

}  // namespace
}  // namespace espalier
