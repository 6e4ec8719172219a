// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// Makes one cost of two.
struct CostWeights {
  double energy = 1;
  double time = 0;

  double cost(double joules, double seconds) const { return energy * joules + time * seconds; }
};

}  // namespace espalier
