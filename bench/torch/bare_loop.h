// SPDX-License-Identifier: Apache-2.0
// VGG-11 as one would write it with libtorch alone: torch::nn::Sequential, torch::optim::SGD, and a
// loop over batches that lie ready in memory as floats. The yardstick for our learner.
#pragma once

#include <memory>

#include "datasets/dataset.h"

namespace espalier::bench {

struct BareOptions {
  double width = 0.25;
  int batch = 64;
  int threads = 1;
};

// Owned by one thread.
class BareLoop {
 public:
  BareLoop(const Images& images, const BareOptions& options);
  ~BareLoop();
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  // One pass over all images; the mean loss.
  double epoch();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace espalier::bench
