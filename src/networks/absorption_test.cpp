// SPDX-License-Identifier: Apache-2.0
#include "networks/absorption.h"

#include <gtest/gtest.h>

#include "networks/channel_groups.h"
#include "networks/cholesky.h"
#include "networks/parameters.h"
#include "support/networks/random_network.h"
#include "support/networks/two_layers.h"

namespace espalier {
namespace {

TEST(Cholesky, SolvesWhatItWasMadeFor) {
  const Cholesky factors({4, 0, 0, 2, 10, 0, -2, 5, 9}, 3);  // the upper triangle is not read
  std::vector<double> x{4 * 1 + 2 * -2 - 2 * 3, 2 * 1 + 10 * -2 + 5 * 3, -2 * 1 + 5 * -2 + 9 * 3};
  factors.solve(x);
  EXPECT_NEAR(x[0], 1, 1e-12);
  EXPECT_NEAR(x[1], -2, 1e-12);
  EXPECT_NEAR(x[2], 3, 1e-12);
}

// Three channels go into "second": a, b, and c = 2a + 1. Of "first", c is the one that goes.
constexpr double kVarianceA = 3;
constexpr double kVarianceB = 5;
const KeptChannels kWithoutLast{{0, 1, 2}, {0, 1}, {0, 1}, {0, 1, 2, 3}};

ChannelMoments dependent_moments() {
  return {{0.5, 2, 2 * 0.5 + 1},
          {kVarianceA, 0, 2 * kVarianceA,  //
           0, kVarianceB, 0,               //
           2 * kVarianceA, 0, 4 * kVarianceA}};
}

Network dependent_network() {
  Architecture two = support::two_layers(3, 2);
  std::get<Convolution>(two.layers[2].kind).bias = true;
  return support::random_network(two, 7);
}

TEST(Absorption, HandsWeightsToTheChannelThatTellsTheSame) {
  const Network before = dependent_network();
  const Network after = absorbed(before, kWithoutLast, {{"second", dependent_moments()}});
  const std::vector<float>& old_weights = before.weights.at("second.weight").values;
  const std::vector<float>& new_weights = after.weights.at("second.weight").values;
  for (std::size_t output = 0; output < 2; ++output) {
    for (std::size_t place = 0; place < 9; ++place) {
      const std::size_t a = (output * 3 + 0) * 9 + place;
      const std::size_t b = (output * 3 + 1) * 9 + place;
      const std::size_t c = (output * 3 + 2) * 9 + place;
      EXPECT_NEAR(new_weights[a], old_weights[a] + 2 * old_weights[c], 0.01);
      EXPECT_NEAR(new_weights[b], old_weights[b], 1e-6);
    }
  }
}

TEST(Absorption, HandsTheConstantToTheBias) {
  const Network before = dependent_network();
  const Network after = absorbed(before, kWithoutLast, {{"second", dependent_moments()}});
  for (std::size_t output = 0; output < 2; ++output) {
    const float* gone = before.weights.at("second.weight").values.data() + (output * 3 + 2) * 9;
    float sum = 0;
    for (std::size_t place = 0; place < 9; ++place) sum += gone[place];
    EXPECT_NEAR(after.weights.at("second.bias").values[output],
                before.weights.at("second.bias").values[output] + sum, 0.01);
  }
}

TEST(Absorption, LeavesAloneWhatLosesNothingOrIsUnknown) {
  const Network network = dependent_network();
  const KeptChannels all{{0, 1, 2}, {0, 1, 2}, {0, 1}, {0, 1, 2, 3}};
  EXPECT_EQ(absorbed(network, all, {{"second", dependent_moments()}}), network);
  EXPECT_EQ(absorbed(network, kWithoutLast, {}), network);
}

TEST(Absorption, SilentChannelsTakeNothingOver) {
  const Network network = dependent_network();
  const ChannelMoments silent{{0, 0, 0}, std::vector<double>(9, 0.0)};
  EXPECT_EQ(absorbed(network, kWithoutLast, {{"second", silent}}), network);
}

// Behind a Flatten a channel is a block of inputs.
TEST(Absorption, HandsOverFlattenedChannelsPlaceByPlace) {
  const Network before = dependent_network();
  const KeptChannels first_only{{0, 1, 2}, {0, 1, 2}, {0}, {0, 1, 2, 3}};
  const ChannelMoments moments{{0, 0}, {1, 0.5, 0.5, 1}};
  const Network after = absorbed(before, first_only, {{"classifier", moments}});
  const std::vector<float>& old_weights = before.weights.at("classifier.weight").values;
  const std::vector<float>& new_weights = after.weights.at("classifier.weight").values;
  for (const std::size_t i : {0U, 63U}) {
    EXPECT_NEAR(new_weights[i], old_weights[i] + 0.5 * old_weights[64 + i], 0.01);
  }
}

}  // namespace
}  // namespace espalier
