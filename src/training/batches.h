// SPDX-License-Identifier: Apache-2.0
// From bytes to what a network takes: which images make a batch, and their pixels as floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "training/learner_options.h"
#include "training/samples.h"

namespace espalier {

// Positions 0 … count − 1, each once, in an order that depends on the seed and the number of the
// epoch only.
std::vector<uint32_t> epoch_order(uint64_t seed, int epoch, std::size_t count);

// Consecutive parts of `order`, of `batch` positions each; the last is smaller. A single position
// left over joins the part before: a batch norm learns nothing from one image.
std::vector<std::span<const uint32_t>> cut_into_batches(std::span<const uint32_t> order,
                                                        std::size_t batch);

struct Batch {
  std::vector<float> pixels;    // [image][row][column][channel], as oneDNN likes them
  std::vector<int64_t> labels;  // one per image
};

// How an image is looked at: shifted, with black beyond its borders, and perhaps mirrored.
struct Pose {
  int down = 0;
  int right = 0;
  bool is_mirrored = false;
};

// The pose of one sample in one epoch; that of an image left alone where `jitter` is 0.
Pose pose_of(const LearnerOptions& options, int epoch, uint32_t position);

// Turns bytes into batches. Owned by one thread.
class BatchMaker {
 public:
  // Throws Error{BadInput} where the scales are not those of the images' channels.
  BatchMaker(const LearnerOptions& options, const ImageShape& shape);

  // For learning in an epoch: images in their poses. The batch stays valid until the next call.
  const Batch& pose(const Samples& samples, std::span<const uint32_t> positions, int epoch);
  // As they are.
  const Batch& plain(const Samples& samples, std::span<const uint32_t> positions);

 private:
  using Levels = std::array<float, 256>;  // what each byte becomes

  void resize(std::size_t images);
  void append(const Samples& samples, std::span<const uint32_t> positions, std::size_t slot,
              const Pose& pose);

  LearnerOptions options_;
  ImageShape shape_;
  std::vector<Levels> levels_;  // one per channel
  Batch batch_;
};

}  // namespace espalier
