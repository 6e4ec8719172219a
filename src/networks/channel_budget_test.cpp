// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_budget.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "networks/validation.h"
#include "support/networks/two_layers.h"

namespace espalier {
namespace {

using support::two_layers;

using Counts = std::vector<int64_t>;

Counts budget(const Architecture& full, const PruningRatios& ratios) {
  return channel_budget(full, full, ratios);
}

std::string fault(const Architecture& network, const Architecture& full,
                  const PruningRatios& ratios) {
  try {
    channel_budget(network, full, ratios);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(ChannelBudget, TheRatioIsWhatGoes) {
  EXPECT_EQ(budget(two_layers(64, 10), {.ratio = 0.75}), (Counts{3, 16, 3, 4}));
  EXPECT_EQ(budget(two_layers(64, 10), {.ratio = 0}), (Counts{3, 64, 10, 4}));
}

TEST(ChannelBudget, RatiosReferToTheFullNetworkHoweverPruned) {
  const Architecture full = two_layers(64, 32);
  const Architecture half = pruned_architecture(full, {.ratio = 0.5});
  EXPECT_EQ(channel_budget(half, full, {.ratio = 0.75}), (Counts{3, 16, 8, 4}));
  EXPECT_EQ(channel_budget(half, full, {.ratio = 0.25}), (Counts{3, 32, 16, 4}));
}

TEST(ChannelBudget, NeverEmptiesALayer) {
  EXPECT_EQ(budget(two_layers(8, 1), {.ratio = 0.999}), (Counts{3, 1, 1, 4}));
}

TEST(ChannelBudget, RoundsToTheNearestMultipleAndKeepsAtLeastOne) {
  const PruningRatios ratios{.ratio = 0.6, .round_to = 16};
  EXPECT_EQ(budget(two_layers(64, 128), ratios), (Counts{3, 32, 48, 4}));
  EXPECT_EQ(budget(two_layers(20, 8), ratios), (Counts{3, 16, 8, 4}));
  EXPECT_EQ(budget(two_layers(24, 24), {.ratio = 0, .round_to = 16}), (Counts{3, 24, 24, 4}));
  EXPECT_EQ(budget(two_layers(64, 8), {.ratio = 0.5, .round_to = int64_t{1} << 62}),
            (Counts{3, 64, 8, 4}));
}

TEST(ChannelBudget, LayersMayHaveRatiosOfTheirOwn) {
  const Architecture full = two_layers(64, 64);
  EXPECT_EQ(budget(full, {.ratio = 0.5, .of_layer = {{"second", 0.25}}}), (Counts{3, 32, 48, 4}));
  EXPECT_EQ(budget(full, {.of_layer = {{"first_norm", 0.5}}}), (Counts{3, 32, 64, 4}));
}

TEST(ChannelBudget, RefusesRatiosThatMakeNoSense) {
  const Architecture full = two_layers(64, 64);
  EXPECT_EQ(fault(full, full, {.ratio = 1}), "a pruning ratio of 1");
  EXPECT_EQ(fault(full, full, {.ratio = -0.1}), "a pruning ratio of -0.1");
  EXPECT_EQ(fault(full, full, {.ratio = std::nan("")}), "a pruning ratio of nan");
  EXPECT_EQ(fault(full, full, {.of_layer = {{"first", 2}}}),
            "a pruning ratio of 2 for layer 'first'");
  EXPECT_EQ(fault(full, full, {.round_to = 0}), "channels rounded to multiples of 0");
}

TEST(ChannelBudget, RefusesLayersThatCannotBePruned) {
  const Architecture full = two_layers(64, 64);
  EXPECT_EQ(fault(full, full, {.of_layer = {{"frist", 0.5}}}),
            "a pruning ratio for 'frist', a layer that 'two' does not have; did you mean 'first'?");
  EXPECT_EQ(fault(full, full, {.of_layer = {{"classifier", 0.5}}}),
            "a pruning ratio for layer 'classifier', which cannot be pruned");
  EXPECT_EQ(fault(full, full, {.of_layer = {{"first", 0.5}, {"first_norm", 0.25}}}),
            "two pruning ratios for the channels of 'first': 0.5 and 0.25");
}

TEST(ChannelBudget, RefusesANetworkThatDoesNotComeFromTheFullOne) {
  const Architecture full = two_layers(64, 64);
  EXPECT_EQ(fault(two_layers(65, 64), full, {}),
            "layer 'first' has 65 channels, and 64 in the full network");
  EXPECT_EQ(fault(build_network("vgg11", {}), full, {}),
            "network 'vgg11' is not a pruned version of 'two': other layers");
}

TEST(ChannelBudget, PrunedCatalogueNetworksAreThoseOfAnotherWidth) {
  const Architecture pruned = pruned_architecture(build_network("vgg11", {}), {.ratio = 0.75});
  EXPECT_EQ(pruned, build_network("vgg11", {.width = 0.25}));
}

}  // namespace
}  // namespace espalier
