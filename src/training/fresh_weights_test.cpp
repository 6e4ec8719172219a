// SPDX-License-Identifier: Apache-2.0
#include "training/fresh_weights.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "networks/network_catalogue.h"
#include "networks/validation.h"

namespace espalier {
namespace {

Network small_vgg(uint64_t seed) {
  return fresh_network(build_network("vgg11", {.width = 0.125}), seed);
}

double deviation(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(FreshWeights, FitTheArchitectureAndHaveNoMomentum) {
  const Network network = small_vgg(1);
  EXPECT_NO_THROW(validate(network));
  EXPECT_TRUE(network.momentum.empty());
}

TEST(FreshWeights, DependOnTheSeedOnly) {
  EXPECT_EQ(small_vgg(1), small_vgg(1));
  EXPECT_NE(small_vgg(1).weights.at("conv1.weight"), small_vgg(2).weights.at("conv1.weight"));
}

TEST(FreshWeights, KeepTheVarianceOfWhatPassesThrough) {
  const Network network = small_vgg(1);
  // Uniform within ±√(6/n): a deviation of √(2/n), n = 64 · 9.
  EXPECT_NEAR(deviation(network.weights.at("conv6.weight").values), std::sqrt(2.0 / 576), 0.002);
  EXPECT_LE(std::ranges::max(network.weights.at("classifier.weight").values), 0.125F);
  EXPECT_EQ(std::ranges::max(network.weights.at("classifier.bias").values), 0);
}

TEST(FreshWeights, GiveEveryTensorItsOwnNumbers) {
  const Network network = small_vgg(1);
  const auto& a = network.weights.at("conv7.weight").values;
  const auto& b = network.weights.at("conv8.weight").values;
  EXPECT_NE(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);
}

}  // namespace
}  // namespace espalier
