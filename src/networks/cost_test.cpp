// SPDX-License-Identifier: Apache-2.0
#include "networks/cost.h"

#include <gtest/gtest.h>

#include "networks/network_catalogue.h"

namespace espalier {
namespace {

TEST(Cost, CountsEachKindOfLayerByItsFormula) {
  NetworkBuilder net("tiny", {3, 8, 8});
  net.add("conv", Convolution{.out = 4, .bias = true});
  net.add("filter", Convolution{.stride = 2, .depthwise = true});
  const LayerId norm = net.add("norm", BatchNorm{});
  const LayerId relu = net.add("relu", Relu{});
  net.add("add", Add{}, {norm, relu});
  net.add("pool", MaxPool{});
  net.add("flatten", Flatten{});
  net.add("dropout", Dropout{});
  net.add("classifier", Linear{.out = 5});
  const Cost expected[] = {{4 * 3 * 9 + 4, 4 * 64 * (2 * 27 + 1)},
                           {4 * 9, 4 * 16 * 18},
                           {8, 2 * 64},
                           {0, 64},
                           {0, 64},
                           {0, 4 * 4 * 4},
                           {0, 0},
                           {0, 0},
                           {16 * 5 + 5, 5 * 33}};
  const auto costs = layer_costs(std::move(net).build());
  ASSERT_EQ(costs.size(), std::size(expected));
  for (std::size_t i = 0; i < costs.size(); ++i) EXPECT_EQ(costs[i], expected[i]) << i;
}

TEST(Cost, TotalIsTheSumOfTheLayers) {
  for (const CatalogueNetwork& network : all_networks()) {
    const Architecture built = network.build({.width = 0.25});
    Cost sum;
    for (const Cost& cost : layer_costs(built)) sum += cost;
    EXPECT_EQ(cost_of(built), sum);
    EXPECT_EQ(training_flops(sum), 3 * sum.flops);
  }
}

// Published multiply-adds: 153 M for VGG-11 and 0.56 G for ResNet-18 at 32×32.
TEST(Cost, ConvolutionsOfKnownNetworksCostWhatIsPublished) {
  EXPECT_NEAR(static_cast<double>(cost_of(build_network("vgg11", {})).flops), 2 * 153e6, 6e6);
  EXPECT_NEAR(static_cast<double>(cost_of(build_network("resnet18", {})).flops), 2 * 556e6, 12e6);
}

TEST(Cost, BytesIncludeTheStatistics) {
  const Architecture built = build_network("resnet18", {});
  EXPECT_EQ(bytes_of(built), 4 * (cost_of(built).parameters + 9'600));
}

}  // namespace
}  // namespace espalier
