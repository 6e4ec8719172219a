// SPDX-License-Identifier: Apache-2.0
#include "program.h"
#include "render/text.h"

namespace espalier {
namespace {

using Usage = ProgramTest;

TEST_F(Usage, HelpTeachesAndFitsThePage) {
  for (const char* command : {"--help", "init --help", "check --help", "plan --help",
                              "compare --help", "simulate --help", "cert --help"}) {
    const Told told = run(command);
    EXPECT_EQ(told.exit_code, 0) << command;
    EXPECT_EQ(told.err, "") << command;
    std::istringstream lines(told.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), kPageWidth) << line;
  }
  EXPECT_TRUE(contains(run("--help").out, "espalier init"));
}

TEST_F(Usage, VersionIsAnAnswer) {
  const Told told = run("--version");
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_TRUE(told.out.starts_with("espalier "));
}

TEST_F(Usage, NoCommandShowsHelpAsAnError) {
  const Told told = run("");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_EQ(told.out, "");
  EXPECT_TRUE(contains(told.err, "Usage"));
}

TEST_F(Usage, SuggestsCommandsOptionsAndStrategies) {
  const Told command = run("plna x.yaml");
  EXPECT_EQ(command.exit_code, 4);
  EXPECT_TRUE(contains(command.err, "did you mean 'plan'?")) << command.err;
  const Told option = run("plan x.yaml --stratgy exact");
  EXPECT_EQ(option.exit_code, 4);
  EXPECT_TRUE(contains(option.err, "did you mean '--strategy'?")) << option.err;
  const Told strategy = run("plan x.yaml --strategy exat");
  EXPECT_EQ(strategy.exit_code, 4);
  EXPECT_TRUE(contains(strategy.err, "did you mean 'exact'?")) << strategy.err;
}

TEST_F(Usage, EveryBadUseIsOneJsonErrorWhereJsonIsAskedFor) {
  write("tiny.yaml", tiny_scenario());
  for (const char* arguments : {"plna --format json",
                                "plan --format json",
                                "plan missing.yaml --format json",
                                "plan --format=json --nope",
                                "plan tiny.yaml --format json --strategy exat",
                                "plan tiny.yaml --format json --estimator odd",
                                "plan tiny.yaml --format json --set goal.loss",
                                "plan tiny.yaml --format json --set goal.los=1",
                                "plan tiny.yaml --format json --bias X=1",
                                "plan tiny.yaml --format json --time-limit soon",
                                "plan tiny.yaml --format json --loss-step -1",
                                "plan tiny.yaml --format json --loss-step abc",
                                "plan tiny.yaml --format json --frontier energy",
                                "plan tiny.yaml --format json --svg -",
                                "plan tiny.yaml --format json --svg /nowhere/x.svg",
                                "plan tiny.yaml two.yaml --format json",
                                "plan tiny.yaml --format json --graph",
                                "simulate tiny.yaml --format json --runs 0",
                                "simulate tiny.yaml --format json --runs many",
                                "compare tiny.yaml --format json --sweep goal.loss=1:2",
                                "compare tiny.yaml --format json --strategies exact,pcat",
                                "check --format json",
                                "init --format json --example nope"}) {
    const Told told = run(arguments);
    EXPECT_EQ(told.exit_code, 4) << arguments;
    const auto document = told.document();
    EXPECT_EQ(document["schema_version"], 1) << arguments;
    EXPECT_EQ(document["status"], "error") << arguments;
    EXPECT_EQ(document["error"]["code"], "bad_input") << arguments;
    EXPECT_FALSE(document["error"]["message"].get<std::string>().empty()) << arguments;
    EXPECT_TRUE(contains(told.err, "error: ")) << arguments;
  }
}

TEST_F(Usage, ErrorsForPeopleGoToStderrOnly) {
  const Told told = run("plan missing.yaml");
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_EQ(told.out, "");
  EXPECT_TRUE(contains(told.err, "missing.yaml"));
}

TEST_F(Usage, AFullDiskIsNoticed) {
  write("tiny.yaml", tiny_scenario());
  EXPECT_EQ(run("plan tiny.yaml > /dev/full; exit $? #").exit_code, 1);
}

}  // namespace
}  // namespace espalier
