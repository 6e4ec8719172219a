// SPDX-License-Identifier: Apache-2.0
// How far fitting has come, for people who wait.
#pragma once

#include <vector>

#include "cli/progress.h"
#include "fitting/fitting_options.h"

namespace espalier {

// Owned by one thread at a time.
class FitProgressLine {
 public:
  explicit FitProgressLine(int most_epochs) : most_epochs_(most_epochs) {}

  void tell(const FittingNews& news);

 private:
  double share_done(const FittingNews& news);

  int most_epochs_;
  // Epochs that finished networks took teach how many those at hand will take.
  std::vector<int> newest_epoch_{};
  ProgressLine line_{};
};

}  // namespace espalier
