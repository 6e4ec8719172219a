// SPDX-License-Identifier: Apache-2.0
// One network from several that were trained apart: federated averaging (McMahan et al., 2017).
#pragma once

#include <span>

#include "networks/tensors.h"

namespace espalier {

// What one member has made of the shared network.
struct Contribution {
  Network network;
  double weight = 0;  // usually the number of samples that it learned from
};

// The mean of all tensors, each contribution counting as much as its weight: weights, statistics of
// batch norms (their variances too: what the means of the members differ by is left out) and
// momentum. Momentum that a member doesn't have counts as zero. With momentum included, one step of
// each member on all of its samples gives what one step on the samples of all would have given,
// unless the network has batch norms that use the statistics of each batch.
// The order of the contributions decides the last bits: keep it fixed.
// Throws Error{BadInput}, naming the contribution by its position, unless: there is one; all have
// the same valid architecture; weights are positive and finite; all values are finite.
Network average(std::span<const Contribution> contributions);

// What it is made of, for those who have some values at a time: adds each value, times the share,
// to its sum. REQUIRES: as many of both.
void add_share(std::span<double> sums, std::span<const float> values, double share);
// Whether none is infinite or no number.
bool all_finite(std::span<const float> values);

}  // namespace espalier
