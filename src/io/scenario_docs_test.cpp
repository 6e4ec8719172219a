// SPDX-License-Identifier: Apache-2.0
// docs/scenario.md and the schema say the same.
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/scenario_file.h"
#include "io/schema.h"

namespace espalier {
namespace {

std::string documentation() {
  std::ifstream file("docs/scenario.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Key → default, from the rows of all tables: | `goal.loss` | number > 0 | required | … |
std::map<std::string, std::string> documented_keys() {
  const std::regex row_pattern(R"(\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| .*)");
  std::map<std::string, std::string> keys;
  std::istringstream lines(documentation());
  for (std::string line; std::getline(lines, line);) {
    std::smatch row;
    if (!std::regex_match(line, row, row_pattern)) continue;
    EXPECT_TRUE(keys.emplace(row[1], row[3]).second) << row[1] << " is documented twice";
  }
  return keys;
}

std::string path_of(const MapSchema& map, const KeySchema& key) {
  return map.path.empty() ? std::string(key.name) : fmt::format("{}.{}", map.path, key.name);
}

TEST(ScenarioDocs, NameExactlyTheKeysOfTheSchema) {
  std::map<std::string, std::string> documented = documented_keys();
  for (const MapSchema& map : all_schemas()) {
    for (const KeySchema& key : map.keys) {
      EXPECT_EQ(documented.erase(path_of(map, key)), 1U)
          << path_of(map, key) << " is not documented";
    }
  }
  for (const auto& [key, otherwise] : documented) ADD_FAILURE() << key << " is not in the schema";
}

TEST(ScenarioDocs, GiveTheDefaultsOfTheSchema) {
  const std::map<std::string, std::string> documented = documented_keys();
  for (const MapSchema& map : all_schemas()) {
    for (const KeySchema& key : map.keys) {
      const std::string path = path_of(map, key);
      if (!documented.contains(path)) continue;
      EXPECT_EQ(documented.at(path) == "required", key.required) << path;
      if (key.required || !key.otherwise) continue;
      EXPECT_EQ(documented.at(path), fmt::format("{}", *key.otherwise)) << path;
    }
  }
}

TEST(ScenarioDocs, GiveTheBoundsOfTheSchema) {
  const std::string text = documentation();
  for (const MapSchema& map : all_schemas()) {
    for (const KeySchema& key : map.keys) {
      if (key.range.text().empty()) continue;
      const std::string row = fmt::format("| `{}` | ", path_of(map, key));
      const std::size_t begin = text.find(row);
      ASSERT_NE(begin, std::string::npos) << row;
      const std::string holds = text.substr(begin + row.size(), 60);
      EXPECT_NE(holds.substr(0, holds.find('|')).find(key.range.text()), std::string::npos) << row;
    }
  }
}

TEST(ScenarioDocs, BeginWithAScenarioThatLoads) {
  const std::string text = documentation();
  const std::string fence = "```yaml\n";
  const std::size_t begin = text.find(fence) + fence.size();
  const auto reading = read_scenario(text.substr(begin, text.find("```", begin) - begin), "docs");
  EXPECT_TRUE(reading.diagnostics.empty());
  EXPECT_TRUE(reading.scenario.has_value());
}

// Each schema's examples are what its hints tell people to write.
TEST(ScenarioSchema, HasAnExampleForEveryKey) {
  for (const MapSchema& map : all_schemas()) {
    for (const KeySchema& key : map.keys) EXPECT_NE(key.example, "") << path_of(map, key);
  }
}

}  // namespace
}  // namespace espalier
