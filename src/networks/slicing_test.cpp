// SPDX-License-Identifier: Apache-2.0
#include "networks/slicing.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "networks/parameter_axes.h"
#include "networks/validation.h"
#include "support/networks/forward.h"
#include "support/networks/random_network.h"

namespace espalier {
namespace {

using Values = std::vector<float>;

Tensor counting(std::vector<int64_t> shape, float first) {
  const int64_t size = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>{});
  Tensor tensor{std::move(shape), Values(static_cast<std::size_t>(size))};
  std::iota(tensor.values.begin(), tensor.values.end(), first);
  return tensor;
}

// conv 2→3 (1×1), norm, depth-wise 1×1, conv 3→2 (1×1, bias), flatten 1×2 pixels, classifier 4→2
Network counted_network() {
  NetworkBuilder net("tiny", {2, 1, 2});
  net.convolution_norm("a", {.out = 3, .kernel = 1, .padding = 0});
  net.add("filter", Convolution{.kernel = 1, .padding = 0, .depthwise = true});
  net.add("b", Convolution{.out = 2, .kernel = 1, .padding = 0, .bias = true});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 2});
  Network network{std::move(net).build(), {}, {}};
  float first = 0;
  for (const Parameter& parameter : parameters_of(network.architecture)) {
    network.weights[parameter.name] = counting(parameter.shape, first += 100);
  }
  network.momentum["b.weight"] = counting({2, 3, 1, 1}, 5000);
  return network;
}

TEST(Slicing, KeepsExactlyTheValuesOfTheKeptChannels) {
  // Groups: image, a, b, classifier.
  const Network smaller = slice(counted_network(), {{0, 1}, {0, 2}, {1}, {0, 1}});
  EXPECT_NO_THROW(validate(smaller));
  EXPECT_EQ(smaller.weights.at("a.weight"), (Tensor{{2, 2, 1, 1}, {100, 101, 104, 105}}));
  EXPECT_EQ(smaller.weights.at("a_norm.weight"), (Tensor{{2}, {200, 202}}));
  EXPECT_EQ(smaller.weights.at("a_norm.bias"), (Tensor{{2}, {300, 302}}));
  EXPECT_EQ(smaller.weights.at("a_norm.running_mean"), (Tensor{{2}, {400, 402}}));
  EXPECT_EQ(smaller.weights.at("a_norm.running_var"), (Tensor{{2}, {500, 502}}));
  EXPECT_EQ(smaller.weights.at("filter.weight"), (Tensor{{2, 1, 1, 1}, {600, 602}}));
  EXPECT_EQ(smaller.weights.at("b.weight"), (Tensor{{1, 2, 1, 1}, {703, 705}}));
  EXPECT_EQ(smaller.weights.at("b.bias"), (Tensor{{1}, {801}}));
  // Channel 1 of b is values 2 and 3 of the flat row.
  EXPECT_EQ(smaller.weights.at("classifier.weight"), (Tensor{{2, 2}, {902, 903, 906, 907}}));
  EXPECT_EQ(smaller.weights.at("classifier.bias"), (Tensor{{2}, {1000, 1001}}));
  ASSERT_EQ(smaller.momentum.size(), 1U);
  EXPECT_EQ(smaller.momentum.at("b.weight"), (Tensor{{1, 2, 1, 1}, {5003, 5005}}));
}

TEST(Slicing, KeepingAllChannelsChangesNothing) {
  EXPECT_EQ(slice(counted_network(), {{0, 1}, {0, 1, 2}, {0, 1}, {0, 1}}), counted_network());
}

TEST(Slicing, InsistsOnSoundChoices) {
  EXPECT_THROW(slice(counted_network(), {{0, 1}, {}, {0, 1}, {0, 1}}), Error);
  EXPECT_THROW(slice(counted_network(), {{0, 1}, {0, 3}, {0, 1}, {0, 1}}), Error);
  EXPECT_THROW(slice(counted_network(), {{0, 1}, {1, 1}, {0, 1}, {0, 1}}), Error);
  EXPECT_THROW(slice(counted_network(), {{0, 1}, {0}, {0, 1}, {0}}), Error);
  EXPECT_THROW(slice(counted_network(), {{0, 1}, {0}, {0, 1}}), Error);
}

// Every second or third channel of each group that can be pruned.
KeptChannels some_channels(const ChannelGroups& groups, int64_t step) {
  KeptChannels kept;
  for (const ChannelGroup& group : groups.all()) {
    kept.emplace_back();
    for (int64_t c = 0; c < group.channels; c += group.is_prunable ? step : 1) {
      kept.back().push_back(c);
    }
  }
  return kept;
}

// Zero in all that makes the channels which are not kept: they are 0 wherever they go.
Network silenced(Network network, const ChannelGroups& groups, const KeptChannels& kept) {
  for (const auto& [parameter, axes] : parameter_axes(network.architecture, groups)) {
    const std::vector<int64_t>& channels = kept[axes.front().group];
    Values& values = network.weights.at(parameter.name).values;
    const int64_t per_channel = parameter.values() / parameter.shape.front();
    for (int64_t i = 0; i < parameter.values(); ++i) {
      if (std::ranges::binary_search(channels, i / per_channel)) continue;
      values[static_cast<std::size_t>(i)] = 0;
    }
  }
  return network;
}

void expect_silent_channels_do_not_matter(const Architecture& architecture, int64_t step) {
  const ChannelGroups groups(architecture);
  const KeptChannels kept = some_channels(groups, step);
  const Network network = support::random_network(architecture, 7);
  const Network quiet = silenced(network, groups, kept);
  const Values image = support::random_image(architecture.input, 8);
  EXPECT_EQ(support::forward(quiet, image), support::forward(slice(quiet, kept), image))
      << architecture.name;
}

TEST(Slicing, DroppingSilentChannelsDoesNotChangeTheLogits) {
  for (const CatalogueNetwork& catalogued : all_networks()) {
    const Architecture architecture = catalogued.build({.width = 0.1, .input = {3, 20, 20}});
    expect_silent_channels_do_not_matter(architecture, 2);
    expect_silent_channels_do_not_matter(architecture, 3);
  }
}

TEST(Slicing, DroppingSilentChannelsOfRandomNetworksDoesNotChangeTheLogits) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    expect_silent_channels_do_not_matter(support::random_architecture(seed), 2);
  }
}

// Without this the two tests above could pass on networks that always answer the same.
TEST(Slicing, DroppingOtherChannelsChangesTheLogits) {
  for (const CatalogueNetwork& catalogued : all_networks()) {
    const Network network =
        support::random_network(catalogued.build({.width = 0.1, .input = {3, 20, 20}}), 7);
    const ChannelGroups groups(network.architecture);
    const Values image = support::random_image(network.architecture.input, 8);
    const Values logits = support::forward(network, image);
    EXPECT_NE(logits, support::forward(slice(network, some_channels(groups, 2)), image));
    EXPECT_NE(logits, support::forward(network, support::random_image({3, 20, 20}, 9)));
  }
}

}  // namespace
}  // namespace espalier
