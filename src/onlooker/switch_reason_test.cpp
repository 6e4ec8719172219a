// SPDX-License-Identifier: Apache-2.0
#include "onlooker/switch_reason.h"

#include <gtest/gtest.h>

#include "support/factory.h"

namespace espalier {
namespace {

// All learn alike, 20 epochs to the goal; L on gold takes 9 J for each, M on gold 8 J, and 1 J
// once.
class SwitchReason : public testing::Test {
 protected:
  std::string reason() const {
    const Problem problem = Problem::estimated(scenario);
    const std::vector<PlacementId> way(40, named(problem, "M on gold"));
    return compared_with_staying(problem, Estimator::Expected, problem.start(), way);
  }
  static PlacementId named(const Problem& problem, const std::string& name) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(problem.size()); ++i)
      if (problem.name_of(PlacementId{i}) == name) return PlacementId{i};
    throw std::runtime_error("no placement " + name);
  }
  Scenario scenario = support::small_factory();
};

TEST_F(SwitchReason, ComparesTheEnergies) {
  EXPECT_EQ(reason(),
            "the goal costs 161.0 J from here; staying with L on gold would cost 180.0 J");
}

TEST_F(SwitchReason, TellsThatStayingIsTooSlow) {
  scenario.goal.deadline = Seconds{5};
  EXPECT_TRUE(reason().ends_with("would reach the goal after the deadline")) << reason();
}

TEST_F(SwitchReason, TellsThatStayingLeadsNowhere) {
  scenario.runs.front().learn.rule = RuleShape{PowerRule{0.1, 1, 1}};
  EXPECT_TRUE(reason().ends_with("would not reach the goal")) << reason();
}

}  // namespace
}  // namespace espalier
