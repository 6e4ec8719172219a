// SPDX-License-Identifier: Apache-2.0
#include "program.h"

namespace espalier {
namespace {

using SimulateCommand = ProgramTest;
using CompareCommand = ProgramTest;
const std::string kNoise = " --set 'run[0].learn.noise={run: 0.2, epoch: 0.2}'";

TEST_F(SimulateCommand, WithoutNoiseIsThePlan) {
  write("tiny.yaml", tiny_scenario());
  const auto plan = run("plan tiny.yaml --format json").document()["data"];
  const auto simulated = run("simulate tiny.yaml --runs 50 --format json").document()["data"];
  EXPECT_EQ(simulated["runs"], 1);
  EXPECT_EQ(simulated["probability_interval"], nlohmann::json({1.0, 1.0}));
  EXPECT_EQ(simulated["energy"]["mean"], plan["energy"]);
}

TEST_F(SimulateCommand, HasEverythingTheContractLists) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run(
      "simulate tiny.yaml --runs 20 --seed 3 --detail --format json --strategy no-switch" + kNoise);
  const auto data = told.document()["data"];
  for (const char* key : {"strategy", "runs", "reached", "probability", "probability_interval",
                          "energy", "time", "loss", "switches", "runs_detail"}) {
    EXPECT_TRUE(data.contains(key)) << key;
  }
  EXPECT_EQ(data["runs"], 20);
  EXPECT_EQ(data["runs_detail"].size(), 20U);
  EXPECT_LE(data["energy"]["p05"], data["energy"]["p95"]);
}

TEST_F(SimulateCommand, TheSameSeedIsTheSameLuck) {
  write("tiny.yaml", tiny_scenario());
  const std::string command =
      "simulate tiny.yaml --runs 10 --format json --strategy no-switch" + kNoise;
  EXPECT_EQ(run(command + " --seed 7").out, run(command + " --seed 7").out);
  EXPECT_NE(run(command + " --seed 7").out, run(command + " --seed 8").out);
}

TEST_F(SimulateCommand, AMissedGoalIsAnExitCode) {
  write("tiny.yaml", tiny_scenario("truth: {run: [{model: L, nodes: a, learn: {rate: 0.01}}, "
                                   "{model: S, nodes: a, learn: {rate: 0.01}}]}\n"));
  EXPECT_EQ(run("plan tiny.yaml").exit_code, 0);
  EXPECT_EQ(run("simulate tiny.yaml").exit_code, 3);
  EXPECT_EQ(run("simulate tiny.yaml --open-loop").exit_code, 3);
  EXPECT_EQ(run("compare tiny.yaml").exit_code, 6);
}

TEST_F(CompareCommand, NoOneBeatsTheOptimum) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run("compare tiny.yaml --bias L=+0.2 --format json");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  const auto data = told.document()["data"];
  EXPECT_GE(data["rows"].size(), 4U);
  for (const auto& row : data["rows"]) {
    if (row["excess"].is_null()) continue;
    EXPECT_GE(row["excess"].get<double>(), -1e-12) << row["strategy"];
  }
  EXPECT_EQ(data["optimum"]["verdict"], "optimal");
}

TEST_F(CompareCommand, SweepsASetting) {
  write("tiny.yaml", tiny_scenario());
  const auto data = run("compare tiny.yaml --strategies exact,no-switch --sweep "
                        "goal.loss=0.3:0.9:0.3 --format json")
                        .document()["data"];
  ASSERT_EQ(data["points"].size(), 3U);
  EXPECT_EQ(data["points"][2]["value"], 0.9);
  EXPECT_EQ(data["points"][0]["rows"].size(), 2U);
  EXPECT_EQ(data["mean_excess"]["exact"], 0.0);
}

TEST_F(CompareCommand, SaysPlainlyWhatTheOptimumIsUnderNoise) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run("compare tiny.yaml --runs 5 --strategies exact,pact" + kNoise);
  EXPECT_TRUE(contains(told.out, "who knows the luck of every run")) << told.out << told.err;
}

TEST_F(CompareCommand, EndsSoonAndSaysSoWhenItIsInterrupted) {
  write("tiny.yaml", tiny_scenario());
  for (const char* signal : {"INT", "TERM"}) {
    const Told told = signalled(signal, "compare tiny.yaml --runs 1000000" + kNoise);
    EXPECT_EQ(told.exit_code, 7) << signal << told.err;
    EXPECT_TRUE(contains(told.out, "stopped early")) << told.out;
    EXPECT_FALSE(contains(told.out, " 0.000 J")) << told.out;
  }
}

}  // namespace
}  // namespace espalier
