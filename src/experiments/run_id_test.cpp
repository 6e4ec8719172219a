// SPDX-License-Identifier: Apache-2.0
#include "experiments/run_id.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(RunId, SaysWhereARunIsInTheTree) {
  const std::string first = first_run_id(1, "gold");
  const std::string pruned = pruned_run_id(first, 5, 0.5);
  const std::string second = handed_over_run_id(pruned, "silver");
  const std::string third = handed_over_run_id(pruned_run_id(second, 15, 0.25), "bronze");
  EXPECT_EQ(third, "1/gold/5x0.5/silver/15x0.25/bronze");
}

TEST(RunId, TellsEverythingThatARunNeeds) {
  const auto place = place_of("7/gold/5x0.5/silver/15x0.25/bronze");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->seed, 7U);
  EXPECT_EQ(place->nodes, "bronze");
  EXPECT_EQ(place->nodes_before, "silver");
  EXPECT_EQ(place->epochs_before, 20);
  EXPECT_DOUBLE_EQ(place->prune, 0.625);
  EXPECT_FALSE(place->ratio.has_value());
  EXPECT_EQ(place->origin, (RunOrigin{"7/gold/5x0.5/silver/15x0.25", 1}));
}

TEST(RunId, TellsWhoPrunesAndByHowMuch) {
  const auto place = place_of("7/gold/5x0.5");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->nodes, "gold");
  EXPECT_EQ(place->ratio, 0.5);
  EXPECT_EQ(place->epochs_before, 5);
  EXPECT_EQ(place->origin, (RunOrigin{"7/gold", 5}));
}

TEST(RunId, OfAFreshNetworkHasNoOrigin) {
  const auto place = place_of("7/gold");
  ASSERT_TRUE(place.has_value());
  EXPECT_FALSE(place->origin.has_value());
  EXPECT_EQ(place->nodes_before, "");
}

// A node set may be called almost anything.
TEST(RunId, IsNotConfusedByNames) {
  const auto place = place_of("1/5x0.5/3x0.25/..");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->nodes, "..");
  EXPECT_EQ(place->nodes_before, "5x0.5");
  EXPECT_EQ(place->epochs_before, 3);
}

TEST(RunId, IsRefusedWhenItIsNone) {
  for (const char* text :
       {"", "1", "1/", "x/gold", "-1/gold", "1/gold/", "1/gold/5", "1/gold/0x0.5", "1/gold/5x1",
        "1/gold/5x-0.1", "1/gold/5xnan", "1/gold/5x0.5/", "1/gold/5x0.5//3x0.5",
        "1/gold/99999999999x0.5", "99999999999999999999/gold"}) {
    EXPECT_FALSE(place_of(text).has_value()) << text;
  }
}

TEST(RunId, LeadsBackToTheFreshNetwork) {
  EXPECT_EQ(
      lineage_of("1/gold/5x0.5/silver", 40),
      (std::vector<RunOrigin>{{"1/gold", 5}, {"1/gold/5x0.5", 1}, {"1/gold/5x0.5/silver", 40}}));
}

}  // namespace
}  // namespace espalier
