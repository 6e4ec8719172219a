// SPDX-License-Identifier: Apache-2.0
#include "training/fedavg.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "training/fresh_weights.h"

namespace espalier {
namespace {

// One pixel, two classes.
Network network_of(float weight, float bias) {
  const Architecture architecture{
      "tiny", {1, 1, 1}, {{"flat", Flatten{}, {kImage}}, {"out", Linear{.out = 2}, {{0}}}}};
  Network network = fresh_network(architecture, 1);
  network.weights.at("out.weight").values = {weight, weight};
  network.weights.at("out.bias").values = {bias, bias};
  return network;
}

std::string refusal(const std::vector<Contribution>& contributions) {
  try {
    average(contributions);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Average, CountsEachMemberByItsWeight) {
  const std::vector<Contribution> members{{network_of(1, 10), 3}, {network_of(5, 2), 1}};
  const Network mean = average(members);
  EXPECT_EQ(mean.weights.at("out.weight").values, (std::vector<float>{2, 2}));
  EXPECT_EQ(mean.weights.at("out.bias").values, (std::vector<float>{8, 8}));
  EXPECT_EQ(mean.weights.at("out.weight").shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(mean.architecture, members[0].network.architecture);
}

TEST(Average, OfEqualNetworksIsThatNetwork) {
  Network network = network_of(0.1F, 1.0F / 3);
  network.momentum = network.weights;
  const std::vector<Contribution> members{{network, 1}, {network, 7}, {network, 0.3}};
  EXPECT_EQ(average(members), network);
}

TEST(Average, IncludesMomentumAndTakesMissingOnesAsZero) {
  std::vector<Contribution> members{{network_of(0, 0), 1}, {network_of(0, 0), 1}};
  EXPECT_TRUE(average(members).momentum.empty());
  members[1].network.momentum["out.bias"] = {{2}, {4, 8}};
  EXPECT_EQ(average(members).momentum.at("out.bias").values, (std::vector<float>{2, 4}));
}

TEST(Average, RefusesWhatDoesNotFit) {
  const Contribution good{network_of(1, 1), 1};
  EXPECT_NE(refusal({}).find("no contribution"), std::string::npos);

  Contribution other = good;
  other.network.architecture.layers[1].kind = Linear{.out = 3};
  EXPECT_NE(refusal({good, other}).find("contribution 1: another architecture"), std::string::npos);

  Contribution misshapen = good;
  misshapen.network.weights.at("out.bias") = {{3}, {1, 1, 1}};
  EXPECT_NE(refusal({good, misshapen}).find("contribution 1: "), std::string::npos);

  Contribution lacking = good;
  lacking.network.weights.erase("out.bias");
  EXPECT_NE(refusal({lacking, good}).find("contribution 0: "), std::string::npos);
}

TEST(Average, RefusesValuesThatAreNoNumbers) {
  const Contribution good{network_of(1, 1), 1};
  Contribution broken = good;
  broken.network.weights.at("out.bias").values[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(refusal({good, broken}).find("out.bias"), std::string::npos);
  broken = good;
  broken.network.momentum["out.bias"] = {{2}, {0, std::numeric_limits<float>::infinity()}};
  EXPECT_NE(refusal({good, broken}).find("out.bias"), std::string::npos);
}

TEST(Average, TellsFiniteNumbersFromOthers) {
  using Limits = std::numeric_limits<float>;
  std::vector<float> values(1001, Limits::max());
  values[3] = Limits::lowest();
  values[4] = Limits::denorm_min();
  EXPECT_TRUE(all_finite(values));
  EXPECT_TRUE(all_finite({}));
  for (const float bad :
       {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::signaling_NaN()}) {
    values[1000] = bad;
    EXPECT_FALSE(all_finite(values)) << bad;
  }
}

TEST(Average, RefusesWeightsThatAreNotPositive) {
  for (const double weight : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(refusal({{network_of(1, 1), weight}}).find("weight"), std::string::npos) << weight;
  }
}

}  // namespace
}  // namespace espalier
