// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_groups.h"

#include <map>

#include <gtest/gtest.h>

#include "networks/network_catalogue.h"
#include "networks/shapes.h"
#include "support/networks/random_network.h"

namespace espalier {
namespace {

using Names = std::vector<std::string>;

// The layers with parameters of each group, by the group's name.
std::map<std::string, Names> members(const Architecture& architecture) {
  std::map<std::string, Names> all;
  const ChannelGroups groups(architecture);
  for (const ChannelGroup& group : groups.all()) {
    Names& names = all[group.name];
    for (const LayerId id : group.layers) {
      const Layer& layer = architecture.layers[static_cast<std::size_t>(id.index)];
      const bool has_channels = std::holds_alternative<Convolution>(layer.kind) ||
                                std::holds_alternative<Linear>(layer.kind);
      if (has_channels) names.push_back(layer.name);
    }
  }
  return all;
}

LayerId layer_named(const Architecture& architecture, const std::string& name) {
  for (std::size_t i = 0; i < architecture.layers.size(); ++i) {
    if (architecture.layers[i].name == name) return {static_cast<int>(i)};
  }
  return kImage;
}

TEST(ChannelGroups, EachConvolutionOfVggIsAloneWithItsNorm) {
  const Architecture vgg = build_network("vgg11", {});
  const ChannelGroups groups(vgg);
  ASSERT_EQ(groups.size(), 10U);
  EXPECT_EQ(groups[1].name, "conv1");
  EXPECT_EQ(groups[1].channels, 64);
  const std::vector<LayerId> first{{0}, {1}, {2}, {3}};  // conv1, its norm, relu1, pool1
  EXPECT_EQ(groups[1].layers, first);
  EXPECT_EQ(members(vgg).at("conv8"), Names{"conv8"});
}

TEST(ChannelGroups, ImageAndClassesCannotBePruned) {
  for (const CatalogueNetwork& network : all_networks()) {
    const ChannelGroups groups(network.build({.width = 0.25}));
    EXPECT_EQ(groups.all().front().name, "image");
    EXPECT_FALSE(groups.all().front().is_prunable);
    EXPECT_EQ(groups.all().back().name, "classifier");
    EXPECT_FALSE(groups.all().back().is_prunable);
    for (std::size_t i = 1; i + 1 < groups.size(); ++i) EXPECT_TRUE(groups[i].is_prunable);
  }
}

TEST(ChannelGroups, AFlattenedChannelIsABlockOfItsPixels) {
  const Architecture alexnet = build_network("alexnet", {});
  const ChannelGroups groups(alexnet);
  ASSERT_EQ(groups.size(), 9U);
  const LayerId dropout = layer_named(alexnet, "dropout1");
  EXPECT_EQ(groups[groups.group_of(dropout)].name, "conv5");
  EXPECT_EQ(groups.block_of(dropout), 4);
  EXPECT_EQ(groups.block_of(layer_named(alexnet, "hidden1")), 1);
  EXPECT_EQ(members(alexnet).at("hidden1"), Names{"hidden1"});
}

TEST(ChannelGroups, BranchesThatMeetInAnAddShareAGroup) {
  const Architecture resnet = build_network("resnet18", {});
  const auto groups = members(resnet);
  ASSERT_EQ(groups.size(), 14U);
  EXPECT_EQ(groups.at("stem"), (Names{"stem", "stage1_block1_conv2", "stage1_block2_conv2"}));
  EXPECT_EQ(groups.at("stage2_block1_conv2"),
            (Names{"stage2_block1_conv2", "stage2_block1_shortcut", "stage2_block2_conv2"}));
  EXPECT_EQ(groups.at("stage4_block2_conv1"), Names{"stage4_block2_conv1"});
}

TEST(ChannelGroups, DepthwiseConvolutionsTieWhatTheyTakeToWhatTheyGive) {
  const Architecture mobilenet = build_network("mobilenetv2", {});
  const auto groups = members(mobilenet);
  ASSERT_EQ(groups.size(), 27U);
  EXPECT_EQ(groups.at("stem"), (Names{"stem", "stage1_block1_filter"}));
  EXPECT_EQ(groups.at("stage3_block2_expand"),
            (Names{"stage3_block2_expand", "stage3_block2_filter"}));
  EXPECT_EQ(groups.at("stage3_block1_project"),
            (Names{"stage3_block1_project", "stage3_block2_project", "stage3_block3_project"}));
}

TEST(ChannelGroups, WhatIsAddedToTheImageStays) {
  NetworkBuilder net("tiny", {3, 8, 8});
  const LayerId filtered = net.add("filter", Convolution{.depthwise = true});
  net.add("conv", Convolution{.out = 3});
  net.add("add", Add{}, {net.newest(), filtered});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 2});
  const ChannelGroups groups(std::move(net).build());
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].layers.size(), 4U);
  EXPECT_FALSE(groups[0].is_prunable);
}

TEST(ChannelGroups, EveryOutputHasTheChannelsOfItsGroup) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Architecture architecture = support::random_architecture(seed);
    const ChannelGroups groups(architecture);
    const Shapes shapes(architecture);
    for (int i = -1; i < static_cast<int>(architecture.layers.size()); ++i) {
      const LayerId id{i};
      EXPECT_EQ(shapes.after(id).channels,
                groups[groups.group_of(id)].channels * groups.block_of(id));
    }
  }
}

}  // namespace
}  // namespace espalier
