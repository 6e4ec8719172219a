// SPDX-License-Identifier: Apache-2.0
// How a network learns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/workload.h"

namespace espalier {

// How the learning rate goes on over the epochs.
struct Schedule {
  RateSchedule kind = RateSchedule::Constant;
  // Cosine: falls along half a cosine; epochs until the rate is nothing, and stays so. Step: epochs
  // between two falls.
  int epochs = 100;
  // Step only: what is left of the rate after a fall.
  double factor = 0.1;
};

// A pixel p of 0–255 enters the network as (p / 255 − mean) / deviation.
struct PixelScale {
  double mean = 0.5;
  double deviation = 0.25;
};

struct LearnerOptions {
  // Images in one step; the last step of an epoch takes what is left.
  int batch = 64;
  double learning_rate = 1e-3;
  // Share of the last step's direction that the next one keeps.
  double momentum = 0.9;
  // Added to each gradient: this much of the weight itself.
  double weight_decay = 0;
  Schedule schedule{};
  // One per channel; empty: the same for all. Nodes that learn together need the same scale, and
  // none of them knows the images of the others: no statistics of one's own.
  std::vector<PixelScale> scales{};
  // Shifts each image by up to this many pixels and mirrors every other one; 0: leaves them alone.
  // 4 suits photographs of 32 × 32 pixels.
  int jitter = 0;
  // Decides the order of the images, the jitter and the dropout of each epoch.
  uint64_t seed = 1;
  // Cores to use. The same seed gives the same bits only with the same number of threads.
  int threads = 1;
};

// Throws Error{BadInput} where an option makes no sense.
void validate(const LearnerOptions& options);

// In epoch 0, 1, …
double learning_rate_at(const LearnerOptions& options, int epoch);

}  // namespace espalier
