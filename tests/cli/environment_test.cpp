// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program.h"

namespace espalier {
namespace {

// L on gold falls by 0.2 an epoch, from 2. After 2 or 4 epochs half was pruned and went to silver,
// where the loss falls by 0.1, from 1 more than it was. `seeds` are 0.1 apart.
std::string small_traces(int seeds = 1) {
  std::string text = "run,seed,epoch,nodes,prune,loss,event\n";
  for (int seed = 1; seed <= seeds; ++seed) {
    const double top = 2 + 0.1 * (seed - 1);
    for (int e = 0; e <= 8; ++e)
      text += fmt::format("{}/gold,{},{},gold,0,{},{}\n", seed, seed, e, top - 0.2 * e,
                          e == 0 ? "start" : "epoch");
    for (const int left : {2, 4}) {
      for (int e = 0; e <= 10; ++e)
        text +=
            fmt::format("{0}/gold/{1}x0.5/silver,{0},{2},silver,0.5,{3},{4}\n", seed, left,
                        left + e, top - 0.2 * left + 1 - 0.1 * e, e == 0 ? "hand-over" : "epoch");
    }
  }
  return text;
}

std::string small_loop(const std::string& learn = "{rate: 0.2}") {
  return "espalier: 1\n"
         "name: loop\n"
         "goal: {loss: 1.2, deadline: 50}\n"
         "start: {model: L, nodes: gold, loss: 2}\n"
         "models: {L: {}, M: {from: L, prune: 0.5}}\n"
         "nodes: {gold: {}, silver: {}}\n"
         "run:\n"
         "  - {model: L, nodes: gold, time: 1, energy: 3, learn: " +
         learn +
         "}\n"
         "  - {model: M, nodes: silver, time: 1, energy: 1, learn: {rate: 0.1}}\n"
         "  - {model: M, nodes: gold, time: 1, energy: 0.1, learn: {rate: 0.3}}\n"
         "change:\n"
         "  models: [{from: L, to: M, time: 1, energy: 0.5, jump: 1}]\n";
}

class EnvironmentOption : public ProgramTest {
 protected:
  nlohmann::json data_of(const std::string& arguments) const {
    const Told told = run(arguments + " --format json");
    EXPECT_EQ(told.err, "");
    return told.document()["data"];
  }
};

TEST_F(EnvironmentOption, TakesLossesFromTraces) {
  write("loop.yaml", small_loop());
  write("traces.csv", small_traces());
  const auto data =
      data_of("simulate loop.yaml --strategy no-switch --detail --environment traces.csv");
  EXPECT_EQ(data["truth"],
            nlohmann::json::parse(R"({"from": "traces", "file": "traces.csv", "seeds": 1})"));
  const auto& steps = data["runs_detail"][0]["steps"];
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_NEAR(steps[0]["loss"], 1.8, 1e-12);
  EXPECT_NEAR(steps[3]["loss"], 1.2, 1e-12);
  EXPECT_EQ(steps[3]["energy"], 12.0);
  EXPECT_EQ(data["untraced_epochs"]["mean"], 0.0);
}

TEST_F(EnvironmentOption, OffersNoChangeThatWasNeverTraced) {
  write("loop.yaml", small_loop());
  write("traces.csv", small_traces());
  // M on gold would be cheapest by far.
  const std::string command = "simulate loop.yaml --strategy exact --detail";
  EXPECT_EQ(data_of(command)["runs_detail"][0]["steps"].back()["nodes"], "gold");
  EXPECT_EQ(data_of(command)["truth"]["from"], "scenario");
  const auto steps = data_of(command + " --environment traces.csv")["runs_detail"][0]["steps"];
  for (const auto& step : steps)
    EXPECT_TRUE(step["model"] == "L" || step["nodes"] == "silver") << step;
}

TEST_F(EnvironmentOption, TellsHowManyEpochsNobodyTraced) {
  write("loop.yaml", small_loop());
  write("traces.csv", small_traces());
  // It gives up after 44 epochs, of which gold's traces know 8.
  const std::string command =
      "simulate loop.yaml --strategy no-switch --set goal.loss=0.1 --environment traces.csv";
  EXPECT_EQ(data_of(command)["untraced_epochs"]["mean"], 36.0);
  const Told told = run(command);
  EXPECT_EQ(told.exit_code, 3);
  EXPECT_TRUE(contains(told.out, "losses are those of traces.csv: 1 seed")) << told.out;
  EXPECT_TRUE(contains(told.out, "36 epochs lay beyond what was traced")) << told.out;
  EXPECT_TRUE(contains(told.out, "--environment traces.csv")) << told.out;
}

TEST_F(EnvironmentOption, EachSeedIsARun) {
  write("loop.yaml", small_loop());
  write("traces.csv", small_traces(3));
  const auto data = data_of(
      "simulate loop.yaml --strategy no-switch --runs 50 --detail --environment traces.csv");
  EXPECT_EQ(data["runs"], 3);
  EXPECT_NEAR(data["runs_detail"][2]["steps"][0]["loss"], 2.0, 1e-12);
}

TEST_F(EnvironmentOption, NoOneBeatsTheOptimumOfTheTraces) {
  write("loop.yaml", small_loop());
  write("one.csv", small_traces());
  write("three.csv", small_traces(3));
  const auto one = data_of("compare loop.yaml --environment one.csv");
  EXPECT_EQ(one["optimum"]["verdict"], "optimal");
  const auto three = data_of("compare loop.yaml --environment three.csv");
  EXPECT_EQ(three["optimum"]["proved"], 3);
  for (const auto& data : {one, three}) {
    EXPECT_GE(data["rows"].size(), 4U);
    for (const auto& row : data["rows"]) {
      if (row["excess"].is_null()) continue;
      EXPECT_GE(row["excess"].get<double>(), -1e-12) << row["strategy"];
    }
  }
  const auto sweep = data_of(
      "compare loop.yaml --environment one.csv --strategies exact --sweep goal.loss=1:1.4:0.2");
  EXPECT_EQ(sweep["points"].size(), 3U);
}

TEST_F(EnvironmentOption, SaysWhatIsWrongWithTheTraces) {
  write("loop.yaml", small_loop());
  write("traces.csv", small_traces());
  write("empty.csv", "run,epoch,loss\n");
  write("broken.csv", "run,epoch,loss\n1/gold,x,2\n");
  const auto refusal = [&](const std::string& arguments) {
    const Told told = run("simulate loop.yaml " + arguments);
    EXPECT_EQ(told.exit_code, 4) << told.out;
    return told.err;
  };
  EXPECT_TRUE(contains(refusal("--environment none.csv"), "none.csv: no such file"));
  EXPECT_TRUE(contains(refusal("--environment empty.csv"), "empty.csv: holds no traces"));
  EXPECT_TRUE(contains(refusal("--environment broken.csv"), "broken.csv:2: epoch is 'x'"));
  EXPECT_TRUE(contains(refusal("--environment traces.csv --set models.L.prune=0.1"),
                       "no run begins where the scenario does, with L on gold"));
}

TEST_F(EnvironmentOption, RulesMayComeFromTracesToo) {
  write("in/loop.yaml", small_loop("{traces: traces.csv}"));
  write("in/traces.csv", small_traces());
  const auto plan = data_of("plan in/loop.yaml --strategy no-switch");
  EXPECT_EQ(plan["epochs"], 4);
  EXPECT_NEAR(plan["loss"], 1.2, 1e-9);
  const Told told = run("plan in/loop.yaml --set models.L.prune=0.1");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_TRUE(contains(told.err, "traces.csv: has no epochs of L on gold, 0.1 of its channels"))
      << told.err;
}

}  // namespace
}  // namespace espalier
