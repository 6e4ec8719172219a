// SPDX-License-Identifier: Apache-2.0
#include "training/compression.h"

#include <gtest/gtest.h>

#include "networks/channel_budget.h"
#include "networks/parameters.h"
#include "training/fresh_weights.h"
#include "training/synthetic_images.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

Architecture wide_architecture() {
  return {"wide",
          kTinyImage,
          {{"conv1", Convolution{.out = 16}, {kImage}},
           {"norm1", BatchNorm{}, {{0}}},
           {"relu1", Relu{}, {{1}}},
           {"pool", MaxPool{}, {{2}}},
           {"conv2", Convolution{.out = 16}, {{3}}},
           {"norm2", BatchNorm{}, {{4}}},
           {"relu2", Relu{}, {{5}}},
           {"average", GlobalAverage{}, {{6}}},
           {"flat", Flatten{}, {{7}}},
           {"out", Linear{.out = 4}, {{8}}}}};
}

class Compression : public testing::Test {
 protected:
  static Network trained(const LearnerFactory& factory, const Samples& samples, int epochs) {
    const auto learner = factory(fresh_network(wide_architecture(), 1));
    for (int epoch = 0; epoch < epochs; ++epoch) learner->train(samples, {epoch, {}});
    return learner->network();
  }
  CompressionOutcome prune_half(PruningCriterion criterion) const {
    return compress_by_pruning(large, wide_architecture(),
                               {.ratios = {.ratio = 0.5}, .scores = {.criterion = criterion}}, all,
                               factory);
  }

  Images images = striped_images(96, kTinyImage, 4, 1);
  Samples all = Samples::all(images);
  LearnerFactory factory = torch_learners({.batch = 16, .learning_rate = 0.05});
  Network large = trained(factory, all, 12);
};

TEST_F(Compression, PruningGivesASmallerNetworkThatRemembers) {
  const CompressionOutcome outcome = prune_half(PruningCriterion::Taylor);
  EXPECT_EQ(outcome.network.weights.at("conv2.weight").shape, (std::vector<int64_t>{8, 8, 3, 3}));
  EXPECT_EQ(outcome.network.momentum.at("conv2.weight").shape, (std::vector<int64_t>{8, 8, 3, 3}));
  EXPECT_GT(outcome.before.accuracy, 0.9);
  EXPECT_LT(outcome.before.loss, outcome.after.loss);
  EXPECT_GT(outcome.time, Seconds{});
  const Network blank = fresh_network(outcome.network.architecture, 1);
  EXPECT_LT(outcome.after.loss, factory(blank)->evaluate(all).loss);
}

TEST_F(Compression, PruningLearnsStatisticsAnew) {
  const CompressionOutcome outcome = prune_half(PruningCriterion::GroupL2);
  const PruningOptions options{.ratios = {.ratio = 0.5}};
  const Network sliced = prune(large, wide_architecture(), options).network;
  EXPECT_EQ(outcome.network.weights.at("conv1.weight"), sliced.weights.at("conv1.weight"));
  EXPECT_NE(outcome.network.weights.at("norm2.running_mean"),
            sliced.weights.at("norm2.running_mean"));
  EXPECT_EQ(outcome.network.momentum, sliced.momentum);
}

TEST_F(Compression, PruningLosesLessThanCuttingAlone) {
  for (const PruningCriterion criterion : {PruningCriterion::GroupL2, PruningCriterion::Random}) {
    const PruningOptions options{.ratios = {.ratio = 0.5}, .scores = {.criterion = criterion}};
    const auto cut = factory(prune(large, wide_architecture(), options).network);
    cut->refresh_statistics(all);
    EXPECT_LT(prune_half(criterion).after.loss, cut->evaluate(all).loss);
  }
}

TEST_F(Compression, MomentsAreThoseOfWhatLayersTake) {
  const InputMoments moments = factory(large)->input_moments(all);
  ASSERT_EQ(moments.size(), 2U) << "conv1 takes the image";
  const ChannelMoments& averaged = moments.at("out");
  EXPECT_EQ(averaged.mean.size(), 16U);
  EXPECT_EQ(averaged.covariance.size(), 16U * 16U);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_GE(averaged.mean[i], 0) << "behind a ReLU";
    EXPECT_GE(averaged.covariance[17 * i], 0);
    EXPECT_NEAR(averaged.covariance[i], averaged.covariance[16 * i], 1e-6);
  }
}

// As if nothing had happened in between: what is carried as a value is all there is.
TEST_F(Compression, APrunedNetworkGoesOnTheSameFromItsValue) {
  const Network small = prune_half(PruningCriterion::GroupL2).network;
  const auto one = factory(small);
  one->train(all, {12, {}});
  const Network carried = one->network();
  one->train(all, {13, {}});
  const auto other = factory(carried);
  other->train(all, {13, {}});
  EXPECT_EQ(other->network(), one->network());
}

TEST_F(Compression, APrunedNetworkLearnsOn) {
  const CompressionOutcome outcome = prune_half(PruningCriterion::Taylor);
  const auto learner = factory(outcome.network);
  for (int epoch = 12; epoch < 24; ++epoch) learner->train(all, {epoch, {}});
  EXPECT_LT(learner->evaluate(all).loss, outcome.after.loss);
  EXPECT_GT(learner->evaluate(all).accuracy, 0.9);
}

TEST_F(Compression, DistillingTeachesASmallerStudent) {
  const Architecture small = pruned_architecture(wide_architecture(), {.ratio = 0.5});
  const Network student = fresh_network(small, 3);
  const CompressionOutcome outcome = compress_by_distilling(
      large, {.student = student, .epochs = 12, .first = {12, {}}}, all, factory);
  EXPECT_EQ(outcome.end, EpochEnd::Finished);
  EXPECT_EQ(outcome.network.architecture, small);
  EXPECT_GT(outcome.before.accuracy, 0.9);
  EXPECT_GT(outcome.after.accuracy, 0.8);
}

TEST_F(Compression, DistillingStopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const Network student = fresh_network(wide_architecture(), 3);
  const CompressionOutcome outcome = compress_by_distilling(
      large, {.student = student, .first = {0, source.get_token()}}, all, factory);
  EXPECT_EQ(outcome.end, EpochEnd::Stopped);
  EXPECT_EQ(outcome.network, student);
}

}  // namespace
}  // namespace espalier
