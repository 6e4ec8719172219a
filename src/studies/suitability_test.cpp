// SPDX-License-Identifier: Apache-2.0
#include "studies/suitability.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

Scenario with_data(std::vector<DataOptionSpec> options) {
  const LearnSpec learn{RuleShape{PowerRule{0.5, 0, 1}}, {}, {}};
  Scenario scenario;
  scenario.goal = {Loss{0.2}, Seconds{20}, 0.95};
  scenario.start = {{0}, {0}, Loss{1}};
  scenario.models = {{"L", {}, 0}};
  scenario.node_sets = {{"gold", {}, std::move(options)}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{2}, learn}};
  return scenario;
}

const StrategyInfo kExact{"exact", "", "", Estimator::Expected, true, true};

std::string refusal(const Scenario& scenario) {
  try {
    refuse_unsuitable(scenario, kExact);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return std::string(error.what()) + " → " + error.hint();
  }
}

TEST(Suitability, AcceptsOneDataOptionPerNodeSet) {
  EXPECT_EQ(refusal(with_data({})), "");
  EXPECT_EQ(refusal(with_data({{.name = "half", .rate = 0.5}})), "");
}

TEST(Suitability, RefusesAChoiceOfDataAndSaysHowToSettleIt) {
  const std::string text = refusal(with_data({{.name = "all"}, {.name = "half"}}));
  EXPECT_NE(text.find("'exact' cannot choose among data options (gold has all, half)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("--set"), std::string::npos) << text;
}

TEST(Suitability, LeavesTheChoiceOfDataToThoseWhoCanMakeIt) {
  const Scenario scenario = with_data({{.name = "all", .once = Joules{3}}, {.name = "half"}});
  EXPECT_NO_THROW(refuse_unsuitable(scenario, {.name = "depl", .chooses_data = true}));
}

TEST(Suitability, RefusesEnergiesThatArePaidOnce) {
  EXPECT_NE(refusal(with_data({{.name = "all", .once = Joules{3}}})).find("once"),
            std::string::npos);
}

TEST(Suitability, WarnsThatAPlanUnderNoiseHoldsForItsEstimateOnly) {
  Scenario scenario = with_data({});
  const auto caveats_of = [&](const StrategyInfo& strategy) {
    return caveats(Problem::estimated(scenario), strategy, Estimator::Robust);
  };
  EXPECT_TRUE(caveats_of(kExact).empty());
  scenario.runs[0].learn.noise = {.run = 0.1, .epoch = 0};
  const auto notes = caveats_of(kExact);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("holds for the robust estimate only"), std::string::npos);
  EXPECT_TRUE(caveats_of({.name = "depl", .promises = true}).empty());
}

}  // namespace
}  // namespace espalier
