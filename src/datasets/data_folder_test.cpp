// SPDX-License-Identifier: Apache-2.0
#include "datasets/data_folder.h"

#include <map>

#include "datasets/sample_files.h"

namespace espalier {
namespace {

std::filesystem::path folder_with(const std::map<std::string, std::string>& variables) {
  return data_folder_in([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(DataFolder, PrefersTheMostSpecificVariable) {
  EXPECT_EQ(folder_with({{"ESPALIER_DATA", "/d"}, {"XDG_DATA_HOME", "/x"}, {"HOME", "/h"}}), "/d");
  EXPECT_EQ(folder_with({{"XDG_DATA_HOME", "/x"}, {"HOME", "/h"}}), "/x/espalier");
  EXPECT_EQ(folder_with({{"HOME", "/h"}}), "/h/.local/share/espalier");
}

TEST(DataFolder, IgnoresEmptyAndRelativeVariables) {
  EXPECT_EQ(folder_with({{"ESPALIER_DATA", ""}, {"XDG_DATA_HOME", "x"}, {"HOME", "/h"}}),
            "/h/.local/share/espalier");
}

TEST(DataFolder, MustBeKnown) {
  EXPECT_TRUE(refuses([] { folder_with({}); }, "set ESPALIER_DATA to a folder"));
}

}  // namespace
}  // namespace espalier
