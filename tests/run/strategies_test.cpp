// SPDX-License-Identifier: Apache-2.0
#include "run_site.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

class StrategyOfARun : public RunSite, public testing::WithParamInterface<const Strategy*> {};

TEST_P(StrategyOfARun, IsOfferedAndCarriesItToItsGoal) {
  const std::string name = GetParam()->info().name;
  ASSERT_EQ(run({"run", "--strategy", "help"}), 0) << err();
  EXPECT_TRUE(contains(out(), name)) << out();
  ASSERT_EQ(run(run_words("here", {"--strategy", name})), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "The goal is reached")) << out();
  EXPECT_EQ(nlohmann::json::parse(folder.read("here/run.json")).at("strategy"), name);
}

INSTANTIATE_TEST_SUITE_P(Registry, StrategyOfARun, testing::ValuesIn(all_strategies()),
                         [](const auto& made) {
                           std::string name = made.param->info().name;
                           std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

}  // namespace
}  // namespace espalier
