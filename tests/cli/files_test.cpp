// SPDX-License-Identifier: Apache-2.0
#include "program.h"

namespace espalier {
namespace {

using InitCommand = ProgramTest;
using CheckCommand = ProgramTest;

TEST_F(InitCommand, WritesAScenarioThatRuns) {
  const Told told = run("init");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  ASSERT_TRUE(exists("smart-factory.yaml"));
  EXPECT_EQ(run("check smart-factory.yaml").exit_code, 0);
  EXPECT_EQ(run("plan smart-factory.yaml").exit_code, 0);
}

TEST_F(InitCommand, NeverOverwritesUnlessForced) {
  write("smart-factory.yaml", "mine");
  EXPECT_EQ(run("init").exit_code, 4);
  EXPECT_EQ(read("smart-factory.yaml"), "mine");
  EXPECT_EQ(run("init --force").exit_code, 0);
  EXPECT_NE(read("smart-factory.yaml"), "mine");
}

TEST_F(InitCommand, TakesAFolderOrAFile) {
  EXPECT_EQ(run("init new/folder").exit_code, 0);
  EXPECT_TRUE(exists("new/folder/smart-factory.yaml"));
  EXPECT_EQ(run("init mine.yaml").exit_code, 0);
  EXPECT_TRUE(exists("mine.yaml"));
  write("blocked", "");
  EXPECT_EQ(run("init blocked/folder").exit_code, 4);
}

TEST_F(InitCommand, EveryExampleIsFine) {
  const auto examples = run("init --list --format json").document()["data"]["examples"];
  EXPECT_FALSE(examples.empty());
  for (const auto& example : examples) {
    const std::string name = example["name"];
    EXPECT_FALSE(example["summary"].get<std::string>().empty()) << name;
    EXPECT_EQ(run("init --example " + name).exit_code, 0) << name;
    EXPECT_EQ(run("check " + name + ".yaml").exit_code, 0) << name;
  }
}

TEST_F(CheckCommand, FindsAllProblemsOfAllFiles) {
  write("good.yaml", tiny_scenario());
  write("bad.yaml", "espalier: 1\ngoal: {loss: -1, deadlin: 3}\n");
  const Told told = run("check good.yaml bad.yaml missing.yaml");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_TRUE(contains(told.out, "good.yaml: 2 models, 1 node set, 2 placements, power rules"))
      << told.out;
  EXPECT_TRUE(contains(told.out, "bad.yaml:2")) << told.out;
  EXPECT_TRUE(contains(told.out, "did you mean")) << told.out;
  EXPECT_TRUE(contains(told.out, "3 files checked: ")) << told.out;
}

TEST_F(CheckCommand, IsOneDocumentForMachines) {
  write("good.yaml", tiny_scenario());
  write("bad.yaml", "espalier: 1\n");
  const Told told = run("check good.yaml bad.yaml --format json");
  EXPECT_EQ(told.exit_code, 4);
  const auto data = told.document()["data"];
  EXPECT_EQ(data["files"][0]["valid"], true);
  EXPECT_EQ(data["files"][1]["valid"], false);
  EXPECT_GT(data["errors"], 0);
}

TEST_F(CheckCommand, NeverPrintsWhatATerminalWouldObey) {
  write("evil.yaml", "espalier: 1\nname: \"a\\e]0;owned\\a\"\n\"\\e[31mkey\": 1\n");
  const Told told = run("check evil.yaml");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_FALSE(contains(told.out + told.err, "\x1b")) << told.out;
}

}  // namespace
}  // namespace espalier
