// SPDX-License-Identifier: Apache-2.0
// What runs make of results and losses that are not as they should be. Real processes.
#include "run_site.h"

namespace espalier {
namespace {

class RunOfOddNodes : public RunSite {
 protected:
  nlohmann::json status(const std::string& name) const {
    EXPECT_EQ(run({"status", name, "--format", "json"}), 0) << err();
    return nlohmann::json::parse(out())["data"];
  }
};

TEST_F(RunOfOddNodes, ResultsThatComeTwiceLateOrInAnotherOrderChangeNothing) {
  ASSERT_EQ(run(run_words("undisturbed")), 0) << err();
  // Its colleague is always first.
  ASSERT_EQ(run(run_words("odd"),
                {"PRETEND_ONLY=silver-1", "PRETEND_TASK_MS=40", "PRETEND_REPORTS=again"}),
            0)
      << err();
  EXPECT_EQ(outcome("odd"), outcome("undisturbed"));
  const auto odd = status("odd");
  EXPECT_GE(odd["duplicate_results"].get<int>() + odd["late_results"].get<int>(),
            2 * odd["epochs"].get<int>());
  EXPECT_EQ(status("undisturbed")["late_results"], 0);
}

TEST_F(RunOfOddNodes, ALossThatStaysMissesTheGoal) {
  EXPECT_EQ(run(run_words("here", {"--set", "goal.deadline=20"}), {"PRETEND_LOSS=flat"}), 3);
  EXPECT_TRUE(contains(out(), "The goal is missed")) << out() << err();
  EXPECT_LE(status("here")["time"], 20) << "no epoch is begun that cannot end in time";
}

TEST_F(RunOfOddNodes, ALossThatIsNoNumberEndsTheRun) {
  EXPECT_EQ(run(run_words("here"), {"PRETEND_LOSS=nan"}), 1);
  EXPECT_TRUE(contains(out(), "Training diverged")) << out() << err();
  EXPECT_EQ(status("here")["epochs"], 1) << "the one before it stays";
  EXPECT_EQ(run({"resume", "here"}), 1) << "it would diverge again";
}

TEST_F(RunOfOddNodes, AGoalReachedEarlyEndsTheRunEarly) {
  EXPECT_EQ(run(run_words("here"), {"PRETEND_LOSS=steep"}), 0) << err();
  const auto early = status("here");
  EXPECT_LE(early["epochs"], 2);
  EXPECT_LT(early["energy"], early["planned"]["energy"]);
  EXPECT_LT(early["time"], early["planned"]["time"]);
}

}  // namespace
}  // namespace espalier
