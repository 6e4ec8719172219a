// SPDX-License-Identifier: Apache-2.0
#include <barrier>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "networks/network_catalogue.h"
#include "training/fresh_weights.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

// Members are threads of this process.
class ThreadGroup {
 public:
  explicit ThreadGroup(int size) : size_(size), sums_(size), all_here_(size) {}

  class Member final : public BatchGroup {
   public:
    Member(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return group_.size_; }
    void add_up(std::span<float> values) override {
      group_.sums_[static_cast<std::size_t>(rank_)].assign(values.begin(), values.end());
      group_.all_here_.arrive_and_wait();
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 0;
        for (const auto& one : group_.sums_) values[i] += one[i];
      }
      group_.all_here_.arrive_and_wait();
    }

   private:
    ThreadGroup& group_;
    int rank_;
  };

 private:
  int size_;
  std::vector<std::vector<float>> sums_;
  std::barrier<> all_here_;
};

struct GroupEnd {
  EpochOutcome outcome;
  Network network;
};

std::vector<GroupEnd> train_in_group(int size, const Network& start, const Samples& samples,
                                     const LearnerOptions& options, std::stop_token stop = {}) {
  ThreadGroup group(size);
  std::vector<GroupEnd> ends(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadGroup::Member member(group, rank);
        const auto learner = torch_learner_in(member, start, options);
        GroupEnd& end = ends[static_cast<std::size_t>(rank)];
        end.outcome = learner->train(samples, {0, rank == 0 ? stop : std::stop_token()});
        end.network = learner->network();
      });
    }
  }
  return ends;
}

double largest_difference(const Network& a, const Network& b) {
  double largest = 0;
  for (const auto& [name, tensor] : a.weights) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
      largest = std::max(
          largest, std::fabs(static_cast<double>(tensor.values[i]) - b.weights.at(name).values[i]));
  }
  return largest;
}

// Without batch norms, so that parts of a batch add up to the whole.
Network normless_network() {
  Architecture plain{"plain", {1, 8, 8}, {}};
  plain.layers = {{"conv", Convolution{.out = 4, .bias = true}, {kImage}},
                  {"relu", Relu{}, {{0}}},
                  {"flat", Flatten{}, {{1}}},
                  {"out", Linear{.out = 4}, {{2}}}};
  return fresh_network(plain, 3);
}

Images eight_by_eight(std::size_t count) {
  Images images{1, 8, 8, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    images.labels.push_back(static_cast<uint16_t>(i % 4));
    for (std::size_t pixel = 0; pixel < 64; ++pixel)
      images.pixels.push_back(static_cast<uint8_t>((i % 4 * 60 + pixel * i) % 256));
  }
  return images;
}

TEST(Groups, LearnWhatOneAloneWouldLearn) {
  const Images images = eight_by_eight(101);
  const Samples samples = Samples::all(images);
  const LearnerOptions options{.batch = 20, .learning_rate = 0.01};
  const auto alone = torch_learner(normless_network(), options);
  const EpochOutcome expected = alone->train(samples, {0, {}});
  for (const int size : {1, 2, 3}) {
    const auto ends = train_in_group(size, normless_network(), samples, options);
    for (const GroupEnd& end : ends) {
      EXPECT_EQ(end.outcome.samples, expected.samples);
      EXPECT_EQ(end.outcome.steps, expected.steps);
      EXPECT_NEAR(end.outcome.loss.value, expected.loss.value, 1e-4);
      EXPECT_LT(largest_difference(end.network, alone->network()), 1e-5);
      EXPECT_EQ(end.network, ends.front().network) << "all members end with the same bits";
    }
  }
}

TEST(Groups, StopTogether) {
  const Images images = eight_by_eight(101);
  std::stop_source stop;
  stop.request_stop();
  const auto ends = train_in_group(2, normless_network(), Samples::all(images),
                                   {.batch = 20, .learning_rate = 0.01}, stop.get_token());
  for (const GroupEnd& end : ends) EXPECT_EQ(end.outcome.end, EpochEnd::Stopped);
}

TEST(Groups, DivergeTogether) {
  const Images images = eight_by_eight(101);
  Network broken = normless_network();
  broken.weights.at("out.bias").values[0] = std::nanf("");
  const auto ends = train_in_group(2, broken, Samples::all(images), {.batch = 20});
  for (const GroupEnd& end : ends) EXPECT_EQ(end.outcome.end, EpochEnd::Divergent);
}

TEST(Groups, HaveTheSameNetworkWithBatchNormsToo) {
  const Images images = eight_by_eight(50);
  Images larger{1, 32, 32, std::vector<uint8_t>(50 * 32 * 32), images.labels};
  for (std::size_t i = 0; i < larger.pixels.size(); ++i)
    larger.pixels[i] = static_cast<uint8_t>(i * 7 % 251);
  const Network start = fresh_network(build_network("vgg11", {0.03, 4, {1, 32, 32}}), 1);
  const auto ends =
      train_in_group(3, start, Samples::all(larger), {.batch = 12, .learning_rate = 0.01});
  EXPECT_EQ(ends[0].network, ends[1].network);
  EXPECT_EQ(ends[0].network, ends[2].network);
  EXPECT_NE(ends[0].network, start);
}

}  // namespace
}  // namespace espalier
