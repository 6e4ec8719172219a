// SPDX-License-Identifier: Apache-2.0
#include "networks/pruning.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "networks/validation.h"
#include "support/networks/random_network.h"
#include "support/networks/two_layers.h"

namespace espalier {
namespace {

using support::two_layers;

TEST(Pruning, EveryCatalogueNetworkStaysSoundAtEveryRatio) {
  for (const CatalogueNetwork& catalogued : all_networks()) {
    const Architecture full = catalogued.build({.width = 0.1});
    const Network network = support::random_network(full, 1);
    for (const double ratio : {0.0, 0.3, 0.5, 0.75, 0.99}) {
      const PruningResult result = prune(network, full, {.ratios = {.ratio = ratio}});
      EXPECT_NO_THROW(validate(result.network)) << catalogued.name << " " << ratio;
      EXPECT_EQ(result.network.architecture, pruned_architecture(full, {.ratio = ratio}));
      EXPECT_EQ(result.network.momentum.size(), network.momentum.size());
    }
  }
}

// Of two_layers().
Cost predicted_cost(int64_t c1, int64_t c2) {
  const int64_t parameters = 27 * c1 + 2 * c1 + 9 * c1 * c2 + 4 * 64 * c2 + 4;
  const int64_t flops = 64 * (2 * 27 * c1 + 2 * c1 + 2 * 9 * c1 * c2) + 4 * (2 * 64 * c2 + 1);
  return {parameters, flops};
}

TEST(Pruning, CostsFallAsTheFormulaSays) {
  const Architecture full = two_layers(32, 16);
  const Network network = support::random_network(full, 1);
  const auto [pruned, report] = prune(network, full, {.ratios = {.ratio = 0.75}});
  EXPECT_EQ(report.total.before, predicted_cost(32, 16));
  EXPECT_EQ(report.total.after, predicted_cost(8, 4));
  EXPECT_EQ(cost_of(pruned.architecture), predicted_cost(8, 4));
}

TEST(Pruning, TheReportTellsEachGroup) {
  const Architecture full = two_layers(32, 16);
  const Network network = support::random_network(full, 1);
  const Network half = prune(network, full, {.ratios = {.ratio = 0.5}}).network;
  const PruningReport report = prune(half, full, {.ratios = {.ratio = 0.75}}).report;
  ASSERT_EQ(report.groups.size(), 4U);
  const GroupChange& first = report.groups[1];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.full_channels, 32);
  EXPECT_EQ(first.channels_before, 16);
  EXPECT_EQ(first.channels_after, 8);
  EXPECT_EQ(first.before.parameters, 29 * 16);
  EXPECT_EQ(first.after.parameters, 29 * 8);
  EXPECT_EQ(report.groups[3].after.parameters, 4 * 64 * 4 + 4);
  EXPECT_EQ(report.total.channels_after, 3 + 8 + 4 + 4);
}

TEST(Pruning, TwoStepsToARatioKeepAsManyChannelsAsOne) {
  const Architecture full = build_network("resnet18", {.width = 0.2});
  const Network network = support::random_network(full, 1);
  const Network half = prune(network, full, {.ratios = {.ratio = 0.5}}).network;
  const Network quarter = prune(half, full, {.ratios = {.ratio = 0.75}}).network;
  EXPECT_EQ(quarter.architecture, pruned_architecture(full, {.ratio = 0.75}));
}

TEST(Pruning, DropsTheChannelThatMattersLeast) {
  const Architecture full = build_network("vgg11", {.width = 0.1});
  Network network = support::random_network(full, 1);
  network.weights["conv1_norm.weight"].values[5] = 0.01F;
  std::vector<float> scales = network.weights["conv1_norm.weight"].values;
  scales.erase(scales.begin() + 5);
  const Network pruned = prune(network, full,
                               {.ratios = {.of_layer = {{"conv1", 0.125}}},
                                .scores = {.criterion = PruningCriterion::BatchNormScale}})
                             .network;
  EXPECT_EQ(pruned.weights.at("conv1_norm.weight").values, scales);
}

TEST(Pruning, RandomNetworksStaySoundAtRandomRatios) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const Architecture full = support::random_architecture(seed);
    Network network = support::random_network(full, seed);
    const PruningOptions options{.ratios = {.ratio = static_cast<double>(seed % 97) / 97,
                                            .round_to = 1 + static_cast<int64_t>(seed % 4)},
                                 .scores = {.criterion = seed % 2 == 0 ? PruningCriterion::Random
                                                                       : PruningCriterion::GroupL2,
                                            .seed = seed}};
    const PruningResult result = prune(network, full, options);
    validate(result.network);
    EXPECT_LE(result.report.total.after.flops, result.report.total.before.flops);
    EXPECT_EQ(prune(result.network, full, options).network, result.network);
  }
}

TEST(Pruning, ANetworkOfAnotherKindIsRefused) {
  const Network network = support::random_network(two_layers(4, 4), 1);
  EXPECT_THROW(prune(network, build_network("vgg11", {}), {}), Error);
}

}  // namespace
}  // namespace espalier
