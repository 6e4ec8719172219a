// SPDX-License-Identifier: Apache-2.0
#include "program.h"
#include "render/text.h"

namespace espalier {
namespace {

using PlanCommand = ProgramTest;

TEST_F(PlanCommand, FindsTheOptimum) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run("plan tiny.yaml --format json");
  EXPECT_EQ(told.exit_code, 0);
  const auto data = told.document()["data"];
  EXPECT_EQ(data["verdict"], "optimal");
  EXPECT_EQ(data["scenario"], "tiny");
  EXPECT_EQ(data["gap"], 0.0);
  EXPECT_EQ(data["steps"].size(), data["epochs"].get<std::size_t>());
  EXPECT_LE(data["loss"].get<double>(), 0.3);
}

TEST_F(PlanCommand, IsRepeatable) {
  write("tiny.yaml", tiny_scenario());
  auto first = run("plan tiny.yaml --format json").document()["data"];
  auto second = run("plan tiny.yaml --format json").document()["data"];
  first.erase("stats");
  second.erase("stats");
  EXPECT_EQ(first, second);
}

TEST_F(PlanCommand, TablesFitThePageAndHaveNoColourInAPipe) {
  write("tiny.yaml", tiny_scenario());
  for (const char* arguments :
       {"plan tiny.yaml --explain", "plan tiny.yaml --frontier loss",
        "plan tiny.yaml --set goal.deadline=1", "plan --strategy help", "compare tiny.yaml",
        "compare tiny.yaml --sweep goal.loss=0.2:1.6:0.1", "simulate tiny.yaml --detail",
        "check tiny.yaml", "init --list"}) {
    const Told told = run(arguments);
    EXPECT_FALSE(contains(told.out, "\x1b")) << arguments;
    EXPECT_NE(told.out, "") << arguments;
    std::istringstream lines(told.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), kPageWidth) << arguments << "\n" << line;
    }
  }
  EXPECT_TRUE(contains(run("plan tiny.yaml --color always").out, "\x1b["));
}

TEST_F(PlanCommand, AnInfeasibleGoalIsAnAnswerWithAWayOut) {
  write("tiny.yaml", tiny_scenario());
  const Told table = run("plan tiny.yaml --set goal.deadline=1");
  EXPECT_EQ(table.exit_code, 6);
  EXPECT_TRUE(contains(table.out, "infeasible")) << table.out;
  const Told json = run("plan tiny.yaml --set goal.deadline=1 --format json");
  EXPECT_EQ(json.exit_code, 6);
  const auto document = json.document();
  EXPECT_EQ(document["status"], "ok");
  EXPECT_EQ(document["data"]["verdict"], "infeasible");
  const std::string hint = "goal.deadline=" + document["data"]["nearest"]["deadline"].dump();
  EXPECT_EQ(run("plan tiny.yaml --set " + hint).exit_code, 0) << hint;
}

TEST_F(PlanCommand, SuggestedGoalsAreReachable) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run("plan tiny.yaml --set goal.deadline=2");
  ASSERT_EQ(told.exit_code, 6);
  std::istringstream lines(told.out);
  int suggestions = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("espalier plan");
    if (at == std::string::npos) continue;
    ++suggestions;
    EXPECT_EQ(run(line.substr(at + 9)).exit_code, 0) << line;
  }
  EXPECT_GE(suggestions, 1) << told.out;
}

TEST_F(PlanCommand, AGoalThatHoldsAlreadyNeedsNoTraining) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run("plan tiny.yaml --set goal.loss=2");
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_TRUE(contains(told.out, "nothing to train")) << told.out;
  EXPECT_EQ(run("plan tiny.yaml --set goal.loss=2 --svg a.svg --explain").exit_code, 0);
}

TEST_F(PlanCommand, EveryStrategyAnswers) {
  write("tiny.yaml", tiny_scenario());
  const auto strategies =
      run("plan --strategy help --format json").document()["data"]["strategies"];
  ASSERT_FALSE(strategies.empty());
  for (const char* other : {"simulate --strategy help", "compare --strategies help"}) {
    EXPECT_EQ(run(std::string(other) + " --format json").document()["data"]["strategies"],
              strategies);
  }
  for (const auto& strategy : strategies) {
    const std::string name = strategy["name"];
    const Told told = run("plan tiny.yaml --explain --format json --strategy " + name);
    EXPECT_TRUE(told.exit_code == 0 || told.exit_code == 6) << name << "\n" << told.err;
    EXPECT_EQ(told.document()["data"]["strategy"], name);
  }
}

TEST_F(PlanCommand, DrawsIntoFilesAndToStdout) {
  write("tiny.yaml", tiny_scenario());
  EXPECT_EQ(run("plan tiny.yaml --svg plan.svg --dot plan.dot").exit_code, 0);
  EXPECT_TRUE(read("plan.svg").starts_with("<svg "));
  EXPECT_TRUE(read("plan.dot").starts_with("digraph "));
  EXPECT_TRUE(run("plan tiny.yaml --graph --svg - --loss-step 0.1").out.starts_with("<svg "));
  EXPECT_TRUE(run("plan tiny.yaml --dot -").out.starts_with("digraph "));
  EXPECT_TRUE(run("plan tiny.yaml --frontier deadline --svg -").out.starts_with("<svg "));
}

TEST_F(PlanCommand, ExplainsEveryStage) {
  write("tiny.yaml", tiny_scenario());
  const auto data = run("plan tiny.yaml --explain --format json").document()["data"];
  EXPECT_EQ(data["reasons"].size(), data["stages"].size());
}

TEST_F(PlanCommand, RefusesAChoiceOfData) {
  write("data.yaml", tiny_scenario("data: {a: {all: {}, half: {time: 0.5, rate: 0.6}}}\n"));
  const Told told = run("plan data.yaml");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_TRUE(contains(told.err, "cannot choose among data options (a has all, half)")) << told.err;
  EXPECT_EQ(run("plan data.yaml --set 'data.a={all: {}}'").exit_code, 0);
  EXPECT_EQ(run("simulate data.yaml").exit_code, 4);
  EXPECT_EQ(run("compare data.yaml --strategies exact").exit_code, 4);
  EXPECT_EQ(run("compare data.yaml").exit_code, 0);
  const auto data = run("plan data.yaml --strategy depl --format json").document()["data"];
  EXPECT_EQ(data["verdict"], "optimal");
  EXPECT_TRUE(data["stages"][0]["data"].is_string());
}

TEST_F(PlanCommand, PromisesAProbability) {
  write("tiny.yaml", tiny_scenario());
  const std::string noisy = "tiny.yaml --set 'run[0].learn.noise={run: 0.2, epoch: 0.2}' ";
  for (const char* strategy : {"depl", "policy", "expectation --margin auto"}) {
    const Told told = run("plan " + noisy + "--format json --strategy " + strategy);
    ASSERT_EQ(told.exit_code, 0) << strategy << told.out << told.err;
    const auto data = told.document()["data"];
    EXPECT_GE(data["probability_interval"][0].get<double>(), 0.95) << strategy;
    EXPECT_GE(data["probability"], data["probability_interval"][0]);
    EXPECT_LE(data["mean_energy"], data["energy"].get<double>() * 1.001) << strategy;
  }
  const Told table = run("plan " + noisy + "--strategy depl");
  EXPECT_TRUE(contains(table.out, "promised: reaches the goal in ")) << table.out;
}

TEST_F(PlanCommand, SaysWhatCouldBePromisedInstead) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run(
      "plan tiny.yaml --set 'run[0].learn.noise={run: 0.3, epoch: 0.2}' --set goal.deadline=2.5 "
      "--set goal.probability=0.99 --strategy depl --format json");
  EXPECT_EQ(told.exit_code, 6) << told.out;
  const auto nearest = told.document()["data"]["nearest"];
  EXPECT_GT(nearest["deadline"], 2.5);
  EXPECT_TRUE(nearest["loss"].is_number());
}

TEST_F(PlanCommand, WritesThePolicyAsATable) {
  write("tiny.yaml", tiny_scenario());
  const std::string noisy =
      "tiny.yaml --set 'run[0].learn={rate: 0.2, noise: {run: 0.4, epoch: 0.3}}' "
      "--set 'run[1].learn={rate: 0.1, noise: {run: 0.4, epoch: 0.3}}' --set goal.deadline=40 ";
  const Told told = run("plan " + noisy + "--strategy policy --export policy.json");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const auto table = nlohmann::json::parse(read("policy.json"));
  EXPECT_EQ(table["actions"].size(), table["luck"].size());
  EXPECT_EQ(table["actions"][0].size(), table["placements"].size());
  EXPECT_EQ(table["actions"][0][0].size(), table["losses"].size());
  EXPECT_EQ(table["actions"][0][0][0][0][0], 0);  // from the first time on
  EXPECT_EQ(run("plan tiny.yaml --strategy exact --export x.json").exit_code, 4);
}

TEST_F(PlanCommand, RefusesAMarginForOthersAndNonsense) {
  write("tiny.yaml", tiny_scenario());
  EXPECT_EQ(run("plan tiny.yaml --strategy pact --margin auto").exit_code, 4);
  EXPECT_EQ(run("plan tiny.yaml --strategy expectation --margin much").exit_code, 4);
  EXPECT_EQ(run("plan tiny.yaml --strategy expectation --margin 5").exit_code, 6);
}

TEST_F(PlanCommand, DoesNotCallAMarginThatIsTooSmallAPromise) {
  write("tiny.yaml", tiny_scenario());
  const Told told =
      run("plan tiny.yaml --set 'run[1].learn.noise={run: 0.3, epoch: 0.2}' --strategy expectation "
          "--margin 0 --set goal.probability=0.99");
  EXPECT_TRUE(contains(told.out, "not promised: reaches the goal in ")) << told.out << told.err;
}

TEST_F(PlanCommand, SaysThatNoiseIsNotPlannedFor) {
  write("tiny.yaml", tiny_scenario());
  const Told told = run("plan tiny.yaml --set 'run[0].learn.noise={run: 0.1}'");
  EXPECT_TRUE(contains(told.out, "the scenario has noise")) << told.out << told.err;
}

}  // namespace
}  // namespace espalier
