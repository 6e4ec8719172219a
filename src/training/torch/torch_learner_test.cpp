// SPDX-License-Identifier: Apache-2.0
#include "training/torch/torch_learner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "training/fresh_weights.h"
#include "training/synthetic_images.h"

namespace espalier {
namespace {

constexpr LearnerOptions kQuick{.batch = 16, .learning_rate = 0.05};

// A convolution with batch norm, dropout, and a classifier of four classes.
Architecture small_architecture() {
  return {"small",
          kTinyImage,
          {{"conv", Convolution{.out = 8}, {kImage}},
           {"norm", BatchNorm{}, {{0}}},
           {"relu", Relu{}, {{1}}},
           {"pool", MaxPool{}, {{2}}},
           {"flat", Flatten{}, {{3}}},
           {"drop", Dropout{0.2}, {{4}}},
           {"out", Linear{.out = 4}, {{5}}}}};
}

Network small_network() { return fresh_network(small_architecture(), 1); }

class TorchLearner : public testing::Test {
 protected:
  static Network after(int epochs, const LearnerOptions& options, const Samples& samples) {
    const auto learner = torch_learner(small_network(), options);
    for (int epoch = 0; epoch < epochs; ++epoch) learner->train(samples, {epoch, {}});
    return learner->network();
  }

  Images images = striped_images(90, kTinyImage, 4, 1);
  Samples all = Samples::all(images);
};

TEST_F(TorchLearner, LearnsWhatCanBeLearned) {
  const auto learner = torch_learner(small_network(), kQuick);
  const Evaluation before = learner->evaluate(all);
  EXPECT_NEAR(before.loss.value, std::log(4), 0.6);
  EpochOutcome outcome;
  for (int epoch = 0; epoch < 15; ++epoch) outcome = learner->train(all, {epoch, {}});
  EXPECT_EQ(outcome.end, EpochEnd::Finished);
  EXPECT_EQ(outcome.samples, 90);
  EXPECT_EQ(outcome.steps, 6);
  EXPECT_LT(outcome.loss.value, 0.3);
  const Evaluation now = learner->evaluate(all);
  EXPECT_LT(now.loss.value, 0.2);
  EXPECT_GT(now.accuracy, 0.95);
}

TEST_F(TorchLearner, GivesTheSameBitsForTheSameSeed) {
  const LearnerOptions jittery{.batch = 16, .learning_rate = 0.05, .jitter = 1};
  EXPECT_EQ(after(2, jittery, all), after(2, jittery, all));
  LearnerOptions other = jittery;
  other.seed = 2;
  EXPECT_NE(after(2, jittery, all), after(2, other, all));
}

TEST_F(TorchLearner, GoesOnFromItsNetworkAsIfNothingHadHappened) {
  const auto first = torch_learner(small_network(), kQuick);
  first->train(all, {0, {}});
  const auto second = torch_learner(first->network(), kQuick);
  EXPECT_EQ(second->network(), first->network());
  first->train(all, {1, {}});
  second->train(all, {1, {}});
  EXPECT_EQ(second->network(), first->network());
}

TEST_F(TorchLearner, HasNoMomentumBeforeItsFirstStep) {
  const auto learner = torch_learner(small_network(), kQuick);
  EXPECT_EQ(learner->network(), small_network());
  learner->train(all, {0, {}});
  EXPECT_EQ(learner->network().momentum.size(), 5U);
}

TEST_F(TorchLearner, EvaluatesWithoutLearning) {
  const auto learner = torch_learner(small_network(), kQuick);
  learner->train(all, {0, {}});
  const Network before = learner->network();
  const Evaluation first = learner->evaluate(all);
  const Evaluation second = learner->evaluate(all);
  EXPECT_EQ(first.loss, second.loss);
  learner->gradients(all);
  EXPECT_EQ(learner->network(), before);
}

TEST_F(TorchLearner, GradientsAreThoseOfTheMeanLoss) {
  Network network = small_network();
  const Tensor gradient = torch_learner(network, kQuick)->gradients(all).at("out.weight");
  const auto loss_with = [&](float change) {
    Network moved = network;
    moved.weights.at("out.weight").values[3] += change;
    return torch_learner(moved, kQuick)->evaluate(all).loss.value;
  };
  const double slope = (loss_with(0.02F) - loss_with(-0.02F)) / 0.04;
  EXPECT_GT(std::abs(slope), 1e-3);
  EXPECT_NEAR(gradient.values[3], slope, 1e-3 + 0.02 * std::abs(slope));
}

TEST_F(TorchLearner, StepsAlongGradientAndMomentum) {
  Architecture plain = small_architecture();
  plain.layers = {{"flat", Flatten{}, {kImage}}, {"out", Linear{.out = 4}, {{0}}}};
  Network network = fresh_network(plain, 1);
  network.momentum["out.bias"] = {{4}, {1, 2, 3, 4}};
  const LearnerOptions options{.learning_rate = 0.1, .momentum = 0.5, .weight_decay = 0.01};
  const auto learner = torch_learner(network, options);
  const Tensors gradients = learner->gradients(all);
  const Loss loss = learner->evaluate(all).loss;
  EXPECT_NEAR(learner->step(all).value, loss.value, 1e-5);
  const Network next = learner->network();
  for (std::size_t i = 0; i < 4; ++i) {
    const float old = network.weights.at("out.bias").values[i];
    const float momentum = 0.5F * network.momentum.at("out.bias").values[i] +
                           gradients.at("out.bias").values[i] + 0.01F * old;
    EXPECT_NEAR(next.momentum.at("out.bias").values[i], momentum, 1e-5);
    EXPECT_NEAR(next.weights.at("out.bias").values[i], old - 0.1F * momentum, 1e-5);
  }
}

TEST_F(TorchLearner, LearnsAtTheRateOfTheEpoch) {
  const LearnerOptions options{.schedule = {RateSchedule::Cosine, 4}};
  const auto learner = torch_learner(small_network(), options);
  learner->train(all, {4, {}});
  EXPECT_EQ(learner->network().weights.at("out.weight"), small_network().weights.at("out.weight"));
}

TEST_F(TorchLearner, TellsDivergenceAsAnAnswer) {
  Network broken = small_network();
  broken.weights.at("out.bias").values[0] = std::numeric_limits<float>::quiet_NaN();
  const auto learner = torch_learner(broken, kQuick);
  const EpochOutcome outcome = learner->train(all, {0, {}});
  EXPECT_EQ(outcome.end, EpochEnd::Divergent);
  EXPECT_FALSE(std::isfinite(outcome.loss.value));
  EXPECT_EQ(outcome.steps, 0);
  EXPECT_EQ(learner->network().weights.at("conv.weight"), broken.weights.at("conv.weight"));
}

TEST_F(TorchLearner, StopsSoonWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const auto learner = torch_learner(small_network(), kQuick);
  const EpochOutcome outcome = learner->train(all, {0, source.get_token()});
  EXPECT_EQ(outcome.end, EpochEnd::Stopped);
  EXPECT_EQ(outcome.samples, 0);
  EXPECT_EQ(learner->network(), small_network());
}

TEST_F(TorchLearner, RefreshesStatisticsToThoseOfTheSamples) {
  Architecture norm_only = small_architecture();
  norm_only.layers = {{"norm", BatchNorm{}, {kImage}},
                      {"flat", Flatten{}, {{0}}},
                      {"out", Linear{.out = 4}, {{1}}}};
  const Images grey{3, 8, 8, std::vector<uint8_t>(4 * 192, 255), {0, 1, 2, 3}};
  const LearnerOptions options{.batch = 2, .scales = {{0, 1}, {0, 0.5}, {0, 0.25}}};
  const auto learner = torch_learner(fresh_network(norm_only, 1), options);
  learner->refresh_statistics(Samples::all(grey));
  const Network network = learner->network();
  EXPECT_EQ(network.weights.at("norm.running_mean").values, (std::vector<float>{1, 2, 4}));
  for (const float variance : network.weights.at("norm.running_var").values) {
    EXPECT_NEAR(variance, 0, 1e-6);
  }
  EXPECT_EQ(network.weights.at("out.weight"), fresh_network(norm_only, 1).weights.at("out.weight"));
}

TEST_F(TorchLearner, StudentsComeToAgreeWithTheirTeacher) {
  const auto teacher = torch_learner(small_network(), kQuick);
  for (int epoch = 0; epoch < 10; ++epoch) teacher->train(all, {epoch, {}});
  Images mislabelled = images;
  std::ranges::fill(mislabelled.labels, uint16_t{0});
  const auto student = torch_learner(fresh_network(small_architecture(), 2), kQuick);
  EpochOutcome outcome;
  for (int epoch = 0; epoch < 15; ++epoch) {
    outcome = student->distil(Samples::all(mislabelled), {epoch, {}},
                              {.teacher = teacher->network(), .mix = 1});
  }
  EXPECT_EQ(outcome.end, EpochEnd::Finished);
  EXPECT_GT(student->evaluate(all).accuracy, 0.9);
}

TEST_F(TorchLearner, WithoutMixATeacherIsNotHeard) {
  const auto alone = torch_learner(small_network(), kQuick);
  const auto taught = torch_learner(small_network(), kQuick);
  const EpochOutcome expected = alone->train(all, {0, {}});
  const EpochOutcome outcome =
      taught->distil(all, {0, {}}, {.teacher = fresh_network(small_architecture(), 5), .mix = 0});
  EXPECT_NEAR(outcome.loss.value, expected.loss.value, 1e-6);
}

TEST_F(TorchLearner, RunsEveryNetworkOfTheCatalogue) {
  const Images some = noise_images(4, {}, 10, 1);
  for (const CatalogueNetwork& entry : all_networks()) {
    const Architecture architecture = build_network(entry.name, {.width = 0.01});
    const auto learner = torch_learner(fresh_network(architecture, 1), {});
    EXPECT_TRUE(std::isfinite(learner->step(Samples::all(some)).value)) << entry.name;
    const double loss = learner->evaluate(Samples::all(some)).loss.value;
    EXPECT_TRUE(std::isfinite(loss)) << entry.name;
  }
}

TEST_F(TorchLearner, LearnsFromALastBatchOfOneImage) {
  const auto learner = torch_learner(small_network(), {.batch = 89});
  EXPECT_EQ(learner->train(all, {0, {}}).steps, 1);
}

TEST_F(TorchLearner, RefusesSamplesThatDoNotFit) {
  const auto learner = torch_learner(small_network(), kQuick);
  const Images large = noise_images(4, {3, 9, 9}, 4, 1);
  EXPECT_THROW(learner->train(Samples::all(large), {}), Error);
  Images mislabelled = images;
  mislabelled.labels[7] = 4;
  EXPECT_THROW(learner->evaluate(Samples::all(mislabelled)), Error);
  EXPECT_THROW(learner->train(Samples(images, {5}), {}), Error);
}

TEST_F(TorchLearner, RefusesNetworksAndOptionsThatDoNotFit) {
  Network lacking = small_network();
  lacking.weights.erase("out.bias");
  EXPECT_THROW(torch_learner(lacking, {}), Error);
  EXPECT_THROW(torch_learner(small_network(), {.batch = 0}), Error);
  const auto learner = torch_learner(small_network(), {});
  EXPECT_THROW(learner->distil(all, {}, {.teacher = small_network(), .temperature = 0}), Error);
}

}  // namespace
}  // namespace espalier
