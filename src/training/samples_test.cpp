// SPDX-License-Identifier: Apache-2.0
#include "training/samples.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "training/synthetic_images.h"

namespace espalier {
namespace {

constexpr ImageShape kTiny{1, 2, 3};

TEST(Samples, AreTheOwnersImagesInTheirOrder) {
  Images images = noise_images(4, kTiny, 2, 1);
  images.labels = {10, 11, 12, 13};
  const Samples samples(images, {3, 1});
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples.label(0), 13);
  EXPECT_EQ(samples.label(1), 11);
  EXPECT_EQ(samples.pixels(1).data(), images.pixels.data() + 6);
  EXPECT_EQ(samples.pixels(1).size(), 6U);
  EXPECT_EQ(samples.shape(), kTiny);
}

TEST(Samples, OfAllAreAll) {
  const Images images = noise_images(5, kTiny, 2, 1);
  EXPECT_EQ(Samples::all(images).size(), 5U);
  EXPECT_EQ(Samples::all(images).label(4), images.labels[4]);
}

TEST(Samples, CanBeTakenWithAStride) {
  const Images images = noise_images(10, {1, 1, 1}, 2, 1);
  const Samples some = Samples::all(images).every(3, 1, 2);
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some.pixels(0)[0], images.pixels[1]);
  EXPECT_EQ(some.pixels(1)[0], images.pixels[4]);
  EXPECT_EQ(Samples::all(images).every(4, 1, 9).size(), 3U);
}

TEST(Samples, MustExist) {
  Images images = noise_images(4, kTiny, 2, 1);
  EXPECT_THROW(Samples(images, {0, 4}), Error);
  EXPECT_THROW(Samples(images, {}), Error);
  images.pixels.pop_back();
  EXPECT_THROW(Samples::all(images), Error);
}

}  // namespace
}  // namespace espalier
