// SPDX-License-Identifier: Apache-2.0
// The first example that people run, whole and for real.
#include <algorithm>

#include "datasets/data_folder.h"
#include "datasets/registry.h"
#include "local_run_site.h"

namespace espalier {
namespace {

bool has_fashion_mnist() {
  OpenOptions options;
  options.data_folder = default_data_folder();
  std::error_code unknown;
  return std::filesystem::is_directory(options.data_folder / "fashion-mnist", unknown) ||
         std::filesystem::is_directory(options.system_folder / "fashion-mnist", unknown);
}

using FirstRun = LocalRunSite;

TEST_F(FirstRun, ReachesItsGoalWithASwitch) {
  if (!has_fashion_mnist()) GTEST_SKIP() << "run scripts/setup data";
  const auto example = std::filesystem::absolute("examples/first-run.yaml").string();
  ASSERT_EQ(start({"run", example, "-y", "--output", "here"}), 0) << said();
  EXPECT_NE(said().find("The goal is reached"), std::string::npos) << said();
  const std::vector<CsvRow> rows = epochs("here");
  ASSERT_GE(rows.size(), 3U) << metrics("here");
  EXPECT_LE(std::stod(rows.back().at("loss")), 0.33);
  EXPECT_LE(std::stod(rows.back().at("time")), 60);
  EXPECT_LT(std::stod(rows.back().at("loss")), std::stod(rows.front().at("loss")));
  const auto moved = std::ranges::adjacent_find(rows, [](const CsvRow& a, const CsvRow& b) {
    return a.at("model") != b.at("model") || a.at("nodes") != b.at("nodes");
  });
  EXPECT_NE(moved, rows.end()) << "no switch\n" << metrics("here");
  EXPECT_EQ(rows.back().at("members"), "3");
  EXPECT_NE(folder.read("here/report.html").find("</html>"), std::string::npos);
  ASSERT_EQ(export_model("here", "m.safetensors"), 0) << said();
  EXPECT_GT(values_in(load_model(folder / "m.safetensors")), 0U);
}

}  // namespace
}  // namespace espalier
