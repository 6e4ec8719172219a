// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/model_file.h"
#include "networks/network_catalogue.h"
#include "networks/pruning.h"
#include "training/fresh_weights.h"
#include "training/synthetic_images.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

// Trained, pruned and trained again: with momentum and statistics of its own.
Network pruned_network(const LearnerFactory& factory, const Samples& samples) {
  const Architecture full = build_network("vgg11", {.width = 0.125});
  const auto large = factory(fresh_network(full, 1));
  large->train(samples, {0, {}});
  const auto small = factory(prune(large->network(), full, {.ratios = {.ratio = 0.5}}).network);
  small->train(samples, {1, {}});
  return small->network();
}

TEST(SavedNetwork, LearnsOnLikeOneThatWasNeverSaved) {
  const Images images = striped_images(24, {}, 10, 1);
  const Samples samples = Samples::all(images);
  const LearnerFactory factory = torch_learners({.batch = 8, .learning_rate = 0.01});
  const Network network = pruned_network(factory, samples);
  const auto kept = factory(network);
  const auto loaded = factory(model_from_bytes(model_bytes(network), "test"));
  kept->train(samples, {2, {}});
  loaded->train(samples, {2, {}});
  EXPECT_EQ(loaded->network(), kept->network());
  EXPECT_NE(loaded->network(), network);
}

}  // namespace
}  // namespace espalier
