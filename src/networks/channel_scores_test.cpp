// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_scores.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/channel_choice.h"
#include "networks/network_catalogue.h"
#include "networks/parameters.h"

namespace espalier {
namespace {

// 1×1 pixels: conv 1→2, norm, flatten, classifier 2→2.
Network tiny() {
  NetworkBuilder net("tiny", {1, 1, 1});
  net.convolution_norm("conv", {.out = 2, .kernel = 1, .padding = 0});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 2});
  Network network{std::move(net).build(), {}, {}};
  network.weights = blank_weights(network.architecture);
  network.weights["conv.weight"].values = {3, -1};
  network.weights["conv_norm.weight"].values = {-2, 1};
  network.weights["conv_norm.bias"].values = {0, 5};
  network.weights["conv_norm.running_mean"].values = {100, 0};
  network.weights["classifier.weight"].values = {6, 1, 0, 2};
  return network;
}

ChannelScores scores(const Network& network, const ScoreOptions& options) {
  return score_channels(network, ChannelGroups(network.architecture), options);
}

TEST(ChannelScores, GroupL2IsTheNormOfAllTrainedValuesOfAChannel) {
  const ChannelScores all = scores(tiny(), {.criterion = PruningCriterion::GroupL2});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(all[0].empty());
  EXPECT_TRUE(all[2].empty());
  EXPECT_DOUBLE_EQ(all[1][0], std::sqrt(9 + 4 + 0 + 36 + 0));
  EXPECT_DOUBLE_EQ(all[1][1], std::sqrt(1 + 1 + 25 + 1 + 4));
}

TEST(ChannelScores, NormScaleIsTheMagnitudeOfTheScale) {
  EXPECT_EQ(scores(tiny(), {.criterion = PruningCriterion::BatchNormScale})[1],
            (std::vector<double>{2, 1}));
}

TEST(ChannelScores, NormScaleNeedsABatchNorm) {
  const Architecture alexnet = build_network("alexnet", {.width = 0.1});
  const Network network{alexnet, blank_weights(alexnet), {}};
  try {
    scores(network, {.criterion = PruningCriterion::BatchNormScale});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "layer 'conv1' of 'alexnet' has no batch norm behind it");
  }
}

GradientSource one_by_one(std::vector<Tensors> batches) {
  return [batches = std::move(batches), at = std::size_t{0}]() mutable -> std::optional<Tensors> {
    if (at == batches.size()) return std::nullopt;
    return batches[at++];
  };
}

TEST(ChannelScores, TaylorIsTheSquaredEffectToFirstOrder) {
  Tensors gradients = blank_weights(tiny().architecture);
  gradients["conv.weight"].values = {1, 1};
  gradients["conv_norm.weight"].values = {1, 0};
  gradients["conv_norm.bias"].values = {0, -2};
  gradients["classifier.weight"].values = {1, 4, 7, -1};
  const auto all =
      scores(tiny(), {.criterion = PruningCriterion::Taylor, .gradients = one_by_one({gradients})});
  const double first = 3 - 2 + 0 + 6;
  const double second = -1 + 0 - 10 + (4 - 2);
  EXPECT_EQ(all[1], (std::vector<double>{first * first, second * second}));
}

// Where the network has learned, batches pull in opposite directions.
TEST(ChannelScores, TaylorCountsBatchesWhoseGradientsCancelOut) {
  Tensors gradients = blank_weights(tiny().architecture);
  gradients["conv_norm.weight"].values = {1, 0};
  Tensors opposite = gradients;
  opposite["conv_norm.weight"].values = {-1, 0};
  const auto all = scores(tiny(), {.criterion = PruningCriterion::Taylor,
                                   .gradients = one_by_one({gradients, opposite})});
  EXPECT_EQ(all[1], (std::vector<double>{8, 0}));
}

TEST(ChannelScores, TaylorNeedsAllGradients) {
  Tensors gradients = blank_weights(tiny().architecture);
  const auto score = [&](std::vector<Tensors> batches) {
    return scores(tiny(),
                  {.criterion = PruningCriterion::Taylor, .gradients = one_by_one(batches)});
  };
  EXPECT_NO_THROW(score({gradients}));
  EXPECT_THROW(scores(tiny(), {.criterion = PruningCriterion::Taylor}), Error);
  EXPECT_THROW(score({}), Error);
  gradients["conv.weight"].shape = {2};
  EXPECT_THROW(score({gradients}), Error);
  gradients.erase("conv.weight");
  EXPECT_THROW(score({gradients}), Error);
}

TEST(ChannelScores, RandomDependsOnTheSeedOnly) {
  const Architecture vgg = build_network("vgg11", {.width = 0.25});
  const Network network{vgg, blank_weights(vgg), {}};
  const auto one = scores(network, {.criterion = PruningCriterion::Random, .seed = 1});
  EXPECT_EQ(one, scores(network, {.criterion = PruningCriterion::Random, .seed = 1}));
  EXPECT_NE(one, scores(network, {.criterion = PruningCriterion::Random, .seed = 2}));
  EXPECT_NE(one[7], one[8]);
}

TEST(ChannelChoice, KeepsTheBestInTheirOrderAndTheEarlierOfEquals) {
  const ChannelScores all{{}, {1, 5, 3, 5, 3}, {0, 0, 0}};
  EXPECT_EQ(choose_channels(all, {3, 3, 2}), (KeptChannels{{0, 1, 2}, {1, 2, 3}, {0, 1}}));
}

TEST(ChannelChoice, WhatIsNoNumberGoesFirst) {
  EXPECT_EQ(choose_channels({{std::nan(""), 1, std::nan(""), -1}}, {2}), (KeptChannels{{1, 3}}));
}

}  // namespace
}  // namespace espalier
