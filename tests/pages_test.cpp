// SPDX-License-Identifier: Apache-2.0
// Pages for people name sources, and docs/faults.md a test for every fault: they must exist.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

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

// Below these folders, as "/src/core/plan.h".
std::vector<std::string> files_in_the_tree() {
  std::vector<std::string> files;
  for (const char* root : {"src", "tests", "bench", "fuzz", "web", "examples", "scripts", "docs"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      files.push_back("/" + entry.path().generic_string());
  }
  return files;
}

TEST(Pages, NameSourcesThatExist) {
  static const std::regex kSource(R"(`([\w./-]+\.(?:cpp|h))`)");
  const std::vector<std::string> files = files_in_the_tree();
  const auto exists = [&](const std::string& name) {
    return std::ranges::any_of(files,
                               [&](const std::string& f) { return f.ends_with("/" + name); });
  };
  std::vector<std::filesystem::path> pages{"README.md", "CONTRIBUTING.md", "bench/README.md"};
  for (const auto& entry : std::filesystem::directory_iterator("docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  int named = 0;
  for (const std::filesystem::path& page : pages) {
    const std::string text = text_of(page);
    for (std::sregex_iterator it(text.begin(), text.end(), kSource), end; it != end; ++it, ++named)
      EXPECT_TRUE(exists((*it)[1])) << page << " names " << (*it)[1] << ", which is not there";
  }
  EXPECT_GE(named, 80);
}

}  // namespace
}  // namespace espalier
