// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

namespace espalier {
namespace {

using Training = ProgramTest;

std::string tiny_training() {
  return R"(espalier: 1
name: tiny
goal: {loss: 0.2, deadline: 100}
start: {model: L, nodes: gold, loss: 0.7}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
training:
  network: vgg11
  width: 0.1
  dataset: synthetic:2x200
  batch: 20
  learning_rate: 0.02
  round_to: 1
  nodes:
    gold: {samples: 320, classes: 2, members: 2}
    silver: {samples: 40, classes: 2, device: jetson-nano}
collect:
  seeds: [1]
  sequences: [[gold, silver]]
  switch_epochs: [2, 4]
  ratios: [0.5]
  last_epochs: 2
)";
}

// The CSV without what is measured anew each time.
std::string without_costs(const std::string& csv) {
  std::istringstream lines(csv);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const auto event = line.rfind(',');
    const auto energy = line.rfind(',', event - 1);
    text += line.substr(0, line.rfind(',', energy - 1)) + line.substr(event) + "\n";
  }
  return text;
}

std::vector<double> losses_of(const std::string& csv, const std::string& run) {
  std::istringstream lines(csv);
  std::vector<double> losses;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string cell;
    std::vector<std::string> row;
    while (std::getline(cells, cell, ',')) row.push_back(cell);
    if (row[0] == run) losses.push_back(std::stod(row[8]));
  }
  return losses;
}

TEST_F(Training, LowersTheLossAndIsTheSameWhenItIsKilledAndGoesOn) {
  write("tiny.yaml", tiny_training());
  ASSERT_EQ(run("collect tiny.yaml --output calm --workers 1").exit_code, 0) << read(".err");
  const std::string csv = read("calm/traces.csv");
  const auto losses = losses_of(csv, "1/gold");
  ASSERT_EQ(losses.size(), 5U) << csv;
  EXPECT_LT(losses.back(), 0.7 * losses.front());
  signalled("KILL", "collect tiny.yaml --output hit --workers 2");
  ASSERT_EQ(run("collect tiny.yaml --output hit --workers 2").exit_code, 0) << read(".err");
  EXPECT_EQ(without_costs(read("hit/traces.csv")), without_costs(csv));
}

TEST_F(Training, ProfileWritesTheTablesOfAScenario) {
  write("tiny.yaml", tiny_training());
  const Told told = run("profile tiny.yaml --images 20 --repetitions 2 --format json");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const auto data = told.document()["data"];
  ASSERT_EQ(data["run"].size(), 4U);
  for (const auto& row : data["run"]) {
    EXPECT_GT(row["time"], 0) << row;
    EXPECT_GT(row["energy"], 0) << row;
    EXPECT_FALSE(row["source"].get<std::string>().empty()) << row;
  }
  EXPECT_LT(data["run"][2]["parameters"], data["run"][0]["parameters"]);
  EXPECT_EQ(data["change"]["models"].size(), 1U);
  EXPECT_EQ(data["change"]["nodes"].size(), 2U);
  EXPECT_EQ(run("check tiny-profiled.yaml").exit_code, 0) << read(".err");
  EXPECT_EQ(run("profile tiny.yaml").exit_code, 4);
  EXPECT_TRUE(contains(read(".err"), "is there already")) << read(".err");
}

TEST_F(Training, SaysWhatIsMissing) {
  write("tiny.yaml", tiny_training());
  const Told told = run("profile tiny.yaml --set training.dataset=cifar1");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_TRUE(contains(told.err, "did you mean 'cifar10'")) << told.err;
  const Told device = run("profile tiny.yaml --set training.nodes.silver.device=jetson");
  EXPECT_EQ(device.exit_code, 4) << device.err;
}

}  // namespace
}  // namespace espalier
