// SPDX-License-Identifier: Apache-2.0
#include "networks/network_catalogue.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/cost.h"
#include "networks/parameters.h"
#include "networks/validation.h"

namespace espalier {
namespace {

int64_t parameters(const std::string& name, double width = 1, int64_t classes = 10) {
  return cost_of(build_network(name, {.width = width, .classes = classes})).parameters;
}

// The counts of the usual 32×32 variants for 10 classes in torch; VGG's less the biases that its
// batch norms make useless.
TEST(NetworkCatalogue, FullNetworksHaveThePublishedNumbersOfParameters) {
  EXPECT_EQ(parameters("vgg11"), 9'231'114 - 2'752);
  EXPECT_EQ(parameters("resnet18"), 11'173'962);
  EXPECT_EQ(parameters("mobilenetv2"), 2'236'682);
  EXPECT_EQ(parameters("alexnet"), 23'272'266);
}

TEST(NetworkCatalogue, ParametersFallWithTheSquareOfTheWidth) {
  EXPECT_NEAR(static_cast<double>(parameters("vgg11", 0.25)), 0.58e6, 0.005e6);
  EXPECT_NEAR(static_cast<double>(parameters("vgg11", 0.125)), 0.146e6, 0.003e6);
  EXPECT_NEAR(static_cast<double>(parameters("alexnet", 0.25)), 1.47e6, 0.02e6);
  EXPECT_NEAR(static_cast<double>(parameters("mobilenetv2", 0.25)), 0.16e6, 0.01e6);
}

TEST(NetworkCatalogue, ClassesChangeTheLastLayerOnly) {
  EXPECT_EQ(parameters("vgg11", 1, 100) - parameters("vgg11", 1, 10), 90 * 513);
  EXPECT_EQ(classes_of(build_network("resnet18", {.classes = 100})), 100);
}

TEST(NetworkCatalogue, ChannelsAreMultiplesOfEightAndAtLeastEight) {
  EXPECT_EQ(scaled_channels(64, 0.25), 16);
  EXPECT_EQ(scaled_channels(16, 0.25), 8);
  EXPECT_EQ(scaled_channels(64, 1.0 / 3), 24);
  EXPECT_EQ(scaled_channels(96, 0.35), 32);
  EXPECT_EQ(scaled_channels(64, 0.01), 8);
}

TEST(NetworkCatalogue, EveryNetworkTakesUsualImagesAtAnyWidth) {
  const ImageShape images[] = {{3, 32, 32}, {1, 28, 28}, {3, 64, 64}, {1, 8, 8}, {3, 96, 40}};
  for (const CatalogueNetwork& network : all_networks()) {
    for (const ImageShape& image : images) {
      for (const double width : {0.01, 0.25, 0.6, 1.5}) {
        const Architecture built = network.build({.width = width, .classes = 7, .input = image});
        EXPECT_NO_THROW(validate(built)) << network.name;
        EXPECT_EQ(built.name, network.name);
        EXPECT_EQ(classes_of(built), 7);
      }
    }
  }
}

TEST(NetworkCatalogue, MisspeltNamesGetASuggestion) {
  try {
    build_network("vgg1", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_STREQ(error.what(), "unknown network 'vgg1'; did you mean 'vgg11'?");
    EXPECT_EQ(error.hint(), "there are: vgg11, alexnet, mobilenetv2, resnet18");
  }
}

TEST(NetworkCatalogue, RefusesOptionsOutOfBounds) {
  EXPECT_THROW(build_network("vgg11", {.width = 0}), Error);
  EXPECT_THROW(build_network("vgg11", {.width = 1e9}), Error);
  EXPECT_THROW(build_network("vgg11", {.width = std::nan("")}), Error);
  EXPECT_THROW(build_network("vgg11", {.classes = 1}), Error);
  EXPECT_THROW(build_network("vgg11", {.input = {0, 32, 32}}), Error);
  EXPECT_THROW(build_network("vgg11", {.input = {3, 32, 1 << 20}}), Error);
}

}  // namespace
}  // namespace espalier
