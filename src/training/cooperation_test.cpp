// SPDX-License-Identifier: Apache-2.0
#include "training/cooperation.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"
#include "training/fresh_weights.h"

namespace espalier {
namespace {

Network tiny_network() {
  return fresh_network(
      {"tiny", {1, 1, 1}, {{"flat", Flatten{}, {kImage}}, {"out", Linear{.out = 2}, {{0}}}}}, 1);
}

// What the learners of a test have done.
struct Diary {
  std::vector<std::vector<uint8_t>> seen;  // the pixels that each learner was shown
  std::vector<int> epochs;
  std::vector<float> started_from;
};

// "Learns" by adding the mean pixel of its samples to the bias.
class PixelLearner final : public Learner {
 public:
  PixelLearner(const Network& network, Diary& diary) : network_(network), diary_(diary) {
    diary_.seen.emplace_back();
    diary_.started_from.push_back(network.weights.at("out.bias").values[0]);
  }

  EpochOutcome train(const Samples& samples, const Epoch& epoch) override {
    diary_.epochs.push_back(epoch.number);
    float sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      diary_.seen.back().push_back(samples.pixels(i)[0]);
      sum += samples.pixels(i)[0];
    }
    network_.weights.at("out.bias").values[0] += sum / static_cast<float>(samples.size());
    const bool diverges = sum > 1000;
    return {.end = diverges ? EpochEnd::Divergent : EpochEnd::Finished,
            .loss = {sum},
            .samples = static_cast<int64_t>(samples.size()),
            .time = {1}};
  }
  EpochOutcome distil(const Samples& samples, const Epoch& epoch, const Teaching&) override {
    return train(samples, epoch);
  }
  Loss step(const Samples&) override { return {}; }
  Evaluation evaluate(const Samples&) override { return {}; }
  Tensors gradients(const Samples&) override { return {}; }
  InputMoments input_moments(const Samples&) override { return {}; }
  void refresh_statistics(const Samples&) override {}
  Network network() const override { return network_; }

 private:
  Network network_;
  Diary& diary_;
};

class Cooperation : public testing::Test {
 protected:
  LearnerFactory factory() {
    return
        [this](const Network& network) { return std::make_unique<PixelLearner>(network, diary); };
  }
  CooperationOutcome train(const std::vector<Member>& members, int epoch, int local_epochs) {
    return train_together(tiny_network(), members, {epoch, {}}, {local_epochs}, factory());
  }

  Images images{1, 1, 1, {1, 2, 3, 40, 255, 255, 255, 255}, {0, 1, 0, 1, 0, 1, 0, 1}};
  Diary diary;
};

TEST_F(Cooperation, ShowsEachMemberItsOwnSamplesOnly) {
  train({{"a", {images, {2, 0}}}, {"b", {images, {1}}}}, 0, 1);
  EXPECT_EQ(diary.seen, (std::vector<std::vector<uint8_t>>{{3, 1}, {2}}));
}

TEST_F(Cooperation, StartsEachMemberFromTheSharedNetwork) {
  train({{"a", {images, {2, 0}}}, {"b", {images, {1}}}}, 0, 1);
  EXPECT_EQ(diary.started_from, (std::vector<float>{0, 0}));
}

TEST_F(Cooperation, AveragesByTheNumberOfSamples) {
  const auto outcome = train({{"a", {images, {0, 1, 2}}}, {"b", {images, {3}}}}, 0, 1);
  EXPECT_EQ(outcome.end, EpochEnd::Finished);
  EXPECT_FLOAT_EQ(outcome.network.weights.at("out.bias").values[0], (3 * 2 + 1 * 40) / 4.0F);
  EXPECT_DOUBLE_EQ(outcome.loss.value, (3 * 6 + 1 * 40) / 4.0);
  ASSERT_EQ(outcome.members.size(), 2U);
  EXPECT_EQ(outcome.members[1].name, "b");
}

TEST_F(Cooperation, NumbersLocalEpochsOverTheWholeRun) {
  const auto outcome = train({{"a", {images, {0}}}}, 5, 3);
  EXPECT_EQ(diary.epochs, (std::vector<int>{15, 16, 17}));
  EXPECT_DOUBLE_EQ(outcome.members[0].time.value, 3);
}

TEST_F(Cooperation, KeepsTheSharedNetworkWhereAMemberDiverges) {
  const auto outcome = train({{"a", {images, {0}}}, {"b", {images, {4, 5, 6, 7}}}}, 0, 1);
  EXPECT_EQ(outcome.end, EpochEnd::Divergent);
  EXPECT_EQ(outcome.network, tiny_network());
}

TEST_F(Cooperation, NeedsAMember) { EXPECT_THROW(train({}, 0, 1), Error); }

}  // namespace
}  // namespace espalier
