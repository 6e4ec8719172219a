// SPDX-License-Identifier: Apache-2.0
// The luck of many runs that share one noise, epoch by epoch.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/scenario.h"

namespace espalier {

// One factor per epoch and run; one per run if epochs do not differ. The factor of the run is 1
// until it is drawn. Thread-compatible; blocks that do not overlap may be drawn at the same time.
class LuckTable {
 public:
  LuckTable(const NoiseSpec& noise, std::size_t runs) : noise_(noise), of_run_(runs, 1.0) {}

  const NoiseSpec& noise() const { return noise_; }

  // From the standard normal draws of runs first, first + 1, …: their own, once; then those of an
  // epoch. REQUIRES: room for the epoch; noise that uses the draws.
  void draw_run(std::size_t first, std::span<const double> z);
  void draw_epoch(int epoch, std::size_t first, std::span<const double> z);
  void make_room(int last_epoch);

  // The factors of runs first … first + count − 1.
  std::span<const double> factors(int epoch, std::size_t first, std::size_t count) const;

 private:
  NoiseSpec noise_;
  std::vector<double> of_run_;
  // By epoch − 1; the factor of the run is part of it. Empty without noise of the epoch.
  std::vector<std::unique_ptr<double[]>> of_epoch_;
};

}  // namespace espalier
