// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// What a loss will be: expectation, 0.05 and 0.95 quantile. low ≤ mean ≤ high.
struct LossRange {
  double low = 0;
  double mean = 0;
  double high = 0;
  friend bool operator==(const LossRange&, const LossRange&) = default;
};

}  // namespace espalier
