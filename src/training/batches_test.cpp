// SPDX-License-Identifier: Apache-2.0
#include "training/batches.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/error.h"
#include "training/synthetic_images.h"

namespace espalier {
namespace {

std::vector<uint32_t> counted(std::size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

std::vector<std::size_t> sizes(std::size_t count, std::size_t batch) {
  const auto order = counted(count);
  std::vector<std::size_t> result;
  for (const auto part : cut_into_batches(order, batch)) result.push_back(part.size());
  return result;
}

TEST(EpochOrder, HoldsEachPositionOnce) {
  auto order = epoch_order(7, 3, 1000);
  EXPECT_NE(order, counted(1000));
  std::ranges::sort(order);
  EXPECT_EQ(order, counted(1000));
}

TEST(EpochOrder, DependsOnSeedAndEpochOnly) {
  EXPECT_EQ(epoch_order(7, 3, 100), epoch_order(7, 3, 100));
  EXPECT_NE(epoch_order(7, 3, 100), epoch_order(7, 4, 100));
  EXPECT_NE(epoch_order(7, 3, 100), epoch_order(8, 3, 100));
}

TEST(EpochOrder, PutsEveryPositionEverywhereAboutAsOften) {
  std::vector<int> first(10);
  for (int epoch = 0; epoch < 10'000; ++epoch) ++first[epoch_order(1, epoch, 10)[0]];
  EXPECT_GT(std::ranges::min(first), 850);
  EXPECT_LT(std::ranges::max(first), 1150);
}

TEST(Batches, CoverTheOrderAndNeverLeaveOneAlone) {
  EXPECT_EQ(sizes(10, 4), (std::vector<std::size_t>{4, 4, 2}));
  EXPECT_EQ(sizes(9, 4), (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(sizes(8, 4), (std::vector<std::size_t>{4, 4}));
  EXPECT_EQ(sizes(1, 4), (std::vector<std::size_t>{1}));
  EXPECT_EQ(sizes(3, 100), (std::vector<std::size_t>{3}));
}

TEST(BatchMaker, ScalesEachChannelAndPutsChannelsLast) {
  const Images images{2, 1, 2, {0, 255, 51, 102}, {5}};
  BatchMaker maker({.scales = {{0, 1}, {0.2, 0.1}}}, {2, 1, 2});
  const Batch& batch = maker.plain(Samples::all(images), counted(1));
  ASSERT_EQ(batch.pixels.size(), 4U);
  EXPECT_FLOAT_EQ(batch.pixels[0], 0);
  EXPECT_NEAR(batch.pixels[1], 0, 1e-6);
  EXPECT_FLOAT_EQ(batch.pixels[2], 1);
  EXPECT_NEAR(batch.pixels[3], 2, 1e-6);
  EXPECT_EQ(batch.labels, std::vector<int64_t>{5});
}

TEST(BatchMaker, TakesThePositionsThatItIsGiven) {
  const Images images{1, 1, 1, {0, 51, 255}, {0, 1, 2}};
  BatchMaker maker({.scales = {{0, 1}}}, {1, 1, 1});
  const Batch& batch = maker.plain(Samples(images, {2, 1}), std::vector<uint32_t>{1, 0});
  EXPECT_EQ(batch.labels, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(batch.pixels, (std::vector<float>{0.2F, 1.0F}));
}

TEST(BatchMaker, WantsAScaleForEachChannel) {
  EXPECT_THROW(BatchMaker({.scales = {{0, 1}}}, {3, 1, 1}), Error);
}

TEST(Jitter, ShiftsMirrorsAndFillsWithBlack) {
  const ImageShape shape{1, 8, 8};
  const Images images = noise_images(64, shape, 2, 1);
  const Samples samples = Samples::all(images);
  const LearnerOptions options{.scales = {{0, 1}}, .jitter = 2, .seed = 3};
  BatchMaker maker(options, shape);
  const Batch& batch = maker.pose(samples, counted(64), 9);
  for (uint32_t n = 0; n < 64; ++n) {
    const Pose pose = pose_of(options, 9, n);
    EXPECT_LE(std::abs(pose.down), 2);
    EXPECT_LE(std::abs(pose.right), 2);
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        const int from_y = y - pose.down;
        const int from_x = (pose.is_mirrored ? 7 - x : x) - pose.right;
        const bool is_inside = from_y >= 0 && from_y < 8 && from_x >= 0 && from_x < 8;
        const int byte =
            is_inside ? samples.pixels(n)[static_cast<std::size_t>(from_y * 8 + from_x)] : 0;
        ASSERT_FLOAT_EQ(batch.pixels[n * 64 + static_cast<std::size_t>(y * 8 + x)],
                        static_cast<float>(byte) / 255);
      }
    }
  }
}

TEST(Jitter, DrawsEveryPoseAndNoneWhereOff) {
  int mirrored = 0;
  int moved = 0;
  for (uint32_t n = 0; n < 1000; ++n) {
    const Pose pose = pose_of({.jitter = 4}, 0, n);
    mirrored += pose.is_mirrored ? 1 : 0;
    moved += pose.down == 4 ? 1 : 0;
    EXPECT_EQ(pose_of({}, 0, n).down, 0);
    EXPECT_FALSE(pose_of({}, 0, n).is_mirrored);
  }
  EXPECT_NEAR(mirrored, 500, 60);
  EXPECT_NEAR(moved, 111, 40);
}

}  // namespace
}  // namespace espalier
