// SPDX-License-Identifier: Apache-2.0
// Learning together, for real.
#include "training/cooperation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "training/fresh_weights.h"
#include "training/synthetic_images.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

// One batch takes everything: the gradient of a step is that of the mean loss.
constexpr LearnerOptions kFullBatch{.batch = 1000, .learning_rate = 0.05, .weight_decay = 1e-3};

// Without batch norm: one normalises by the statistics of its batch, which differ from member to
// member and from those of all samples, so that with it the equality below cannot hold.
Network plain_network() {
  return fresh_network({"plain",
                        kTinyImage,
                        {{"conv", Convolution{.out = 8, .bias = true}, {kImage}},
                         {"relu", Relu{}, {{0}}},
                         {"pool", MaxPool{}, {{1}}},
                         {"flat", Flatten{}, {{2}}},
                         {"out", Linear{.out = 4}, {{3}}}}},
                       1);
}

// Five members; the shares differ in size, and each image belongs to one of them.
std::vector<Member> five_members(const Images& images) {
  std::vector<SampleList> shares(5);
  for (uint32_t i = 0; i < images.size(); ++i) shares[i % 9 < 5 ? i % 9 : 4].push_back(i);
  std::vector<Member> members;
  for (const SampleList& share : shares) {
    members.push_back({"m" + std::to_string(members.size()), {images, share}});
  }
  return members;
}

double largest_difference(const Tensors& a, const Tensors& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (const auto& [name, tensor] : a) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      largest = std::fmax(largest, std::abs(static_cast<double>(tensor.values[i]) -
                                            static_cast<double>(b.at(name).values[i])));
    }
  }
  return largest;
}

TEST(LearningTogether, EqualsLearningInOnePlaceForOneFullStep) {
  const Images images = striped_images(90, kTinyImage, 4, 1);
  const LearnerFactory factory = torch_learners(kFullBatch);
  const auto central = factory(plain_network());
  Network shared = plain_network();
  // The second step has momentum to carry over.
  for (int epoch = 0; epoch < 2; ++epoch) {
    central->train(Samples::all(images), {epoch, {}});
    shared = train_together(shared, five_members(images), {epoch, {}}, {}, factory).network;
    EXPECT_LT(largest_difference(shared.weights, central->network().weights), 1e-5);
    EXPECT_LT(largest_difference(shared.momentum, central->network().momentum), 1e-5);
  }
  EXPECT_GT(largest_difference(shared.weights, plain_network().weights), 1e-3);
}

// Whatever the others own, a member makes the same of the shared network.
TEST(LearningTogether, NoMemberIsInfluencedByTheImagesOfOthers) {
  Images images = striped_images(90, kTinyImage, 4, 1);
  const std::vector<Member> before = five_members(images);
  const LearnerFactory factory = torch_learners({.batch = 8});
  const std::span<const Member> only_first(before.data(), 1);
  const Network alone = train_together(plain_network(), only_first, {}, {}, factory).network;
  const SampleList own = [] {
    SampleList list;
    for (uint32_t i = 0; i < 90; i += 9) list.push_back(i);
    return list;
  }();
  for (uint32_t i = 0; i < 90; ++i) {
    if (i % 9 == 0) continue;
    std::fill_n(images.pixels.begin() + i * 192, 192, uint8_t{255});
    images.labels[i] = 0;
  }
  const std::vector<Member> after{{"m0", {images, own}}};
  EXPECT_EQ(train_together(plain_network(), after, {}, {}, factory).network, alone);
}

TEST(LearningTogether, LearnsAlthoughNoMemberHasAllClasses) {
  const Images images = striped_images(96, kTinyImage, 4, 1);
  std::vector<SampleList> shares(2);
  for (uint32_t i = 0; i < 96; ++i) shares[images.labels[i] / 2].push_back(i);
  const std::vector<Member> members{{"a", {images, shares[0]}}, {"b", {images, shares[1]}}};
  const LearnerFactory factory = torch_learners({.batch = 16, .learning_rate = 0.02});
  Network shared = plain_network();
  for (int epoch = 0; epoch < 20; ++epoch) {
    shared = train_together(shared, members, {epoch, {}}, {.local_epochs = 2}, factory).network;
  }
  EXPECT_GT(factory(shared)->evaluate(Samples::all(images)).accuracy, 0.9);
}

}  // namespace
}  // namespace espalier
