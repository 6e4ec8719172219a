// SPDX-License-Identifier: Apache-2.0
// A whole run as the first page shows it: `espalier run FILE` on one machine, really trained.
#include <set>

#include "local_run_site.h"
#include "networks/network_catalogue.h"
#include "training/fresh_weights.h"

namespace espalier {
namespace {

using LocalRun = LocalRunSite;

std::set<std::string> different(const std::vector<CsvRow>& rows, const std::string& column) {
  std::set<std::string> values;
  for (const CsvRow& row : rows) values.insert(row.at(column));
  return values;
}

TEST_F(LocalRun, ReachesItsGoalOverASwitchOfModelAndNodes) {
  ASSERT_EQ(run("here"), 0) << said();
  const std::vector<CsvRow> rows = epochs("here");
  ASSERT_GE(rows.size(), 2U) << metrics("here");
  EXPECT_LE(std::stod(rows.back().at("loss")), 0.6);
  EXPECT_EQ(different(rows, "model"), (std::set<std::string>{"L", "M"})) << metrics("here");
  EXPECT_EQ(different(rows, "nodes"), (std::set<std::string>{"gold", "silver"}));
  EXPECT_EQ(different(rows, "provenance"), std::set<std::string>{"modelled"});
  EXPECT_EQ(different(rows, "members"), std::set<std::string>{"2"});
  EXPECT_EQ(different(rows, "network").size(), rows.size()) << "each epoch changes the network";

  ASSERT_EQ(export_model("here", "m.safetensors"), 0) << said();
  const Network pruned = load_model(folder / "m.safetensors");
  const Network full = fresh_network(build_network("vgg11", {0.1, 4, {3, 32, 32}}), 1);
  EXPECT_GT(values_in(pruned), 0U);
  EXPECT_LT(values_in(pruned), values_in(full));
  ASSERT_EQ(export_model("here", "m.onnx"), 0) << said();
  EXPECT_GT(std::filesystem::file_size(folder / "m.onnx"), values_in(pruned) * sizeof(float));
}

}  // namespace
}  // namespace espalier
