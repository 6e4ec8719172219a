// SPDX-License-Identifier: Apache-2.0
// An ensemble: curves that may come, each as likely as any other, drawn from calibrated ranges.
//
// Idea. At each epoch the losses of all curves are distributed as its range says: normal on either
// side of the mean, 0.05 of them beyond each end. Along a curve luck stays what it was, and fades
// into new luck: its correlation between h and h' epochs ahead is (h/h')^fading, h ≤ h'. That is a
// random process which forgets at a constant rate on a logarithmic scale of epochs, as learning
// itself proceeds on one.
//
// Drawing from ranges that were calibrated, instead of letting the network dream up each curve,
// keeps the promise of the ranges for the ensemble, and costs a few operations per loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "estimation/network_rollout.h"

namespace espalier {

struct WaysOptions {
  std::size_t count = 200;
  double fading = 0.3;
  // Curves of the same number in different ensembles have the same luck.
  std::uint64_t seed = 1;
};

// Each curve never rises, and never above `from`, the newest loss.
std::vector<std::vector<double>> ways_ahead(const LossesAhead& ranges, double from,
                                            const WaysOptions& options);

}  // namespace espalier
