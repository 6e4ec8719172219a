// SPDX-License-Identifier: Apache-2.0
// docs/faults.md names a test for every fault: they must exist.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace espalier {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "Suite.Name" of all tests in the tree, whether or not this build has them.
std::set<std::string> tests_in_the_tree() {
  static const std::regex kTest(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\))");
  std::set<std::string> names;
  for (const char* root : {"src", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (!entry.path().filename().string().ends_with("_test.cpp")) continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), kTest), end; it != end; ++it)
        names.insert((*it)[1].str() + "." + (*it)[2].str());
    }
  }
  return names;
}

TEST(FaultsPage, NamesTestsThatExistForEveryFault) {
  static const std::regex kName(R"(`([A-Z]\w+\.[A-Z]\w+)`)");
  const std::set<std::string> known = tests_in_the_tree();
  std::ifstream page("docs/faults.md");
  int faults = 0;
  for (std::string line; std::getline(page, line);) {
    const bool is_fault = line.starts_with("| ") && !line.starts_with("| fault |") &&
                          !line.starts_with("| attempt |") && !line.starts_with("| input |");
    if (!is_fault) continue;
    ++faults;
    int named = 0;
    for (std::sregex_iterator it(line.begin(), line.end(), kName), end; it != end; ++it, ++named)
      EXPECT_TRUE(known.contains((*it)[1].str())) << (*it)[1] << " is named, and not there";
    EXPECT_GE(named, 1) << "no test for: " << line;
  }
  EXPECT_GE(faults, 40);
}

}  // namespace
}  // namespace espalier
