// SPDX-License-Identifier: Apache-2.0
// The data sets themselves, where scripts/get-data has obtained them.
#include <gtest/gtest.h>

#include "datasets/data_folder.h"
#include "datasets/images.h"
#include "datasets/registry.h"
#include "datasets/split.h"

namespace espalier {
namespace {

bool is_there(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder, ignored);
}

OpenOptions default_options() {
  OpenOptions options;
  options.data_folder = default_data_folder();
  return options;
}

void expect_balanced(const Images& images, std::size_t classes) {
  for (const SampleList& list : samples_by_class(images, classes)) {
    EXPECT_EQ(list.size(), images.size() / classes);
  }
}

TEST(RealDatasets, Cifar10IsBalancedAndSplitsAsInThePaper) {
  const OpenOptions options = default_options();
  if (!is_there(options.data_folder / "cifar10")) GTEST_SKIP() << "run scripts/get-data cifar10";
  const Dataset dataset = open_dataset("cifar10", options);
  expect_balanced(dataset.train, 10);
  expect_balanced(dataset.test, 10);
  EXPECT_EQ(dataset.classes[dataset.train.labels[0]], "frog");
  EXPECT_EQ(dataset.train.pixels[0], 59);
  const std::vector<Share> shares{{"gold", 40'000, 10, 5}, {"silver", 5000, 10, 2}};
  EXPECT_EQ(split_dataset(dataset, shares).node_sets[0].members[4].size(), 8000U);
}

TEST(RealDatasets, FashionMnistIsBalanced) {
  const OpenOptions options = default_options();
  if (!is_there(options.system_folder / "fashion-mnist") &&
      !is_there(options.data_folder / "fashion-mnist")) {
    GTEST_SKIP() << "run scripts/get-data fashion-mnist";
  }
  const Dataset dataset = open_dataset("fashion-mnist", options);
  EXPECT_EQ(dataset.train.size(), 60'000U);
  EXPECT_EQ(dataset.test.size(), 10'000U);
  expect_balanced(dataset.train, 10);
  EXPECT_EQ(dataset.classes[dataset.train.labels[0]], "Ankle boot");
}

}  // namespace
}  // namespace espalier
