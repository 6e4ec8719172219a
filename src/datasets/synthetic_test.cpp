// SPDX-License-Identifier: Apache-2.0
#include "datasets/synthetic.h"

#include <numeric>

#include "datasets/images.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

constexpr SyntheticOptions kSmall{.classes = 4, .train_per_class = 60, .test_per_class = 25};

using Mean = std::vector<double>;

// The mean image of each class.
std::vector<Mean> means_of(const Images& images, std::size_t classes) {
  std::vector<Mean> means(classes, Mean(images.bytes_per_image()));
  for (std::size_t i = 0; i < images.size(); ++i) {
    Mean& mean = means[images.labels[i]];
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += images.pixels[i * mean.size() + j];
  }
  for (Mean& mean : means) {
    for (double& value : mean)
      value *= static_cast<double>(classes) / static_cast<double>(images.size());
  }
  return means;
}

double distance(const Mean& mean, const std::uint8_t* pixels) {
  double sum = 0;
  for (std::size_t j = 0; j < mean.size(); ++j)
    sum += (mean[j] - pixels[j]) * (mean[j] - pixels[j]);
  return sum;
}

double accuracy_of_nearest_mean(const Dataset& dataset) {
  const std::vector<Mean> means = means_of(dataset.train, dataset.classes.size());
  std::size_t right = 0;
  for (std::size_t i = 0; i < dataset.test.size(); ++i) {
    const std::uint8_t* pixels = &dataset.test.pixels[i * dataset.test.bytes_per_image()];
    std::size_t best = 0;
    for (std::size_t c = 1; c < means.size(); ++c) {
      if (distance(means[c], pixels) < distance(means[best], pixels)) best = c;
    }
    right += best == dataset.test.labels[i] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(dataset.test.size());
}

TEST(Synthetic, HasWhatWasAskedFor) {
  const Dataset dataset = synthetic_dataset(kSmall);
  EXPECT_EQ(dataset.classes.size(), 4U);
  EXPECT_TRUE(is_sound(dataset.train, 4));
  for (const SampleList& list : samples_by_class(dataset.train, 4)) EXPECT_EQ(list.size(), 60U);
  for (const SampleList& list : samples_by_class(dataset.test, 4)) EXPECT_EQ(list.size(), 25U);
}

TEST(Synthetic, CanBeLearned) {
  EXPECT_GT(accuracy_of_nearest_mean(synthetic_dataset(kSmall)), 0.7);
}

TEST(Synthetic, IsNotLearnedFromNoiseAlone) {
  SyntheticOptions other = kSmall;
  other.seed = 2;
  Dataset mixed = synthetic_dataset(kSmall);
  mixed.test = synthetic_dataset(other).test;
  EXPECT_LT(accuracy_of_nearest_mean(mixed), 0.55);
}

TEST(Synthetic, IsHarderWithMoreNoise) {
  SyntheticOptions noisy = kSmall;
  noisy.noise = 255;
  noisy.train_per_class = 5;
  EXPECT_LT(accuracy_of_nearest_mean(synthetic_dataset(noisy)),
            accuracy_of_nearest_mean(synthetic_dataset(kSmall)));
}

// Made once by this program: the bytes must not change with the machine or the compiler.
TEST(Synthetic, IsTheSameOnEveryMachine) {
  const Dataset dataset =
      synthetic_dataset({.classes = 2, .train_per_class = 2, .test_per_class = 1});
  const auto& pixels = dataset.train.pixels;
  EXPECT_EQ(crc32(0, pixels.data(), static_cast<uInt>(pixels.size())), 3777857125U);
}

TEST(Synthetic, DependsOnItsSeed) {
  SyntheticOptions other = kSmall;
  other.seed = 2;
  EXPECT_EQ(synthetic_dataset(kSmall).train.pixels, synthetic_dataset(kSmall).train.pixels);
  EXPECT_NE(synthetic_dataset(kSmall).train.pixels, synthetic_dataset(other).train.pixels);
}

TEST(Synthetic, HasDifferentTrainingAndTestImages) {
  const Dataset dataset =
      synthetic_dataset({.classes = 2, .train_per_class = 1, .test_per_class = 1});
  EXPECT_NE(dataset.train.pixels, dataset.test.pixels);
}

TEST(Synthetic, IsWrittenAsClassesTimesImages) {
  const SyntheticOptions options = parse_synthetic("4x500:7");
  EXPECT_EQ(options.classes, 4U);
  EXPECT_EQ(options.train_per_class, 500U);
  EXPECT_EQ(options.test_per_class, 100U);
  EXPECT_EQ(options.seed, 7U);
  EXPECT_EQ(parse_synthetic("3x2").test_per_class, 1U);
  EXPECT_EQ(parse_synthetic("").classes, 10U);
}

TEST(Synthetic, RefusesOtherWritings) {
  for (const char* text : {"x", "4", "4x", "x5", "4x5x6", "4x5:", "4x5:a", "-4x5", "4 x 5",
                           "99999999999999999999x2", "4x5:1 "}) {
    EXPECT_TRUE(refuses([&] { parse_synthetic(text); }, "is not CLASSESxIMAGES")) << text;
  }
}

TEST(Synthetic, RefusesWhatIsOutOfBounds) {
  const auto make = [](const char* text) {
    return [=] { synthetic_dataset(parse_synthetic(text)); };
  };
  EXPECT_TRUE(refuses(make("1x10"), "1 classes; it must be 2 to 1,000"));
  EXPECT_TRUE(refuses(make("4x0"), "at least one image per class"));
  EXPECT_TRUE(refuses(make("2x18446744073709551615"), "at most 200,000"));
  EXPECT_TRUE(refuses([] { synthetic_dataset({.noise = -1}); }, "noise must be"));
}

}  // namespace
}  // namespace espalier
