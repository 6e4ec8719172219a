// SPDX-License-Identifier: Apache-2.0
// Our learner against PyTorch's modules and optimiser: same weights, same batches, same losses. The
// expected ones come from src/training/torch/training_losses.py.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "networks/network_catalogue.h"
#include "training/fresh_weights.h"
#include "training/synthetic_images.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

constexpr uint32_t kSteps = 20;
constexpr uint32_t kBatch = 16;

struct GoldenLosses {
  std::vector<double> vgg11;
  std::vector<double> mobilenetv2;
};

GoldenLosses golden_losses() {
  std::ifstream file("src/training/torch/training_losses.csv");
  std::string header;
  std::getline(file, header);
  GoldenLosses golden;
  double vgg11 = 0;
  double mobilenetv2 = 0;
  char comma = ',';
  while (file >> vgg11 >> comma >> mobilenetv2) {
    golden.vgg11.push_back(vgg11);
    golden.mobilenetv2.push_back(mobilenetv2);
  }
  return golden;
}

// Both draw dropout from generators of their own.
Architecture without_dropout(Architecture architecture) {
  for (Layer& layer : architecture.layers) {
    if (auto* dropout = std::get_if<Dropout>(&layer.kind)) dropout->probability = 0;
  }
  return architecture;
}

std::vector<double> losses_of(const std::string& name, double width, double rate) {
  const Architecture architecture = without_dropout(build_network(name, {.width = width}));
  const auto learner =
      torch_learner(fresh_network(architecture, 7), {.learning_rate = rate, .weight_decay = 5e-4});
  const Images images = striped_images(kSteps * kBatch, {}, 10, 11);
  std::vector<double> losses;
  for (uint32_t step = 0; step < kSteps; ++step) {
    SampleList batch;
    for (uint32_t i = 0; i < kBatch; ++i) batch.push_back(step * kBatch + i);
    losses.push_back(learner->step({images, batch}).value);
  }
  return losses;
}

void expect_near(const std::vector<double>& losses, const std::vector<double>& golden) {
  ASSERT_EQ(golden.size(), kSteps);
  for (std::size_t step = 0; step < kSteps; ++step) {
    EXPECT_NEAR(losses[step], golden[step], 1e-4) << "step " << step;
  }
}

TEST(Parity, Vgg11LearnsAsInPyTorch) {
  expect_near(losses_of("vgg11", 0.125, 1e-3), golden_losses().vgg11);
}

TEST(Parity, MobileNetV2LearnsAsInPyTorch) {
  expect_near(losses_of("mobilenetv2", 0.1, 5e-6), golden_losses().mobilenetv2);
}

}  // namespace
}  // namespace espalier
