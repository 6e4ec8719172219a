// SPDX-License-Identifier: Apache-2.0
// Where a random epoch or jump takes the loss, as weights on the knots of a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/learning_rule.h"
#include "search/loss_grid.h"

namespace espalier {

// The loss base + slope·X, but at least `least`; X is lognormal with mean 1: exp(spread·Z −
// spread²/2).
struct Landing {
  double base = 0;
  double slope = 0;
  double spread = 0;
  double least = 0;

  double share_above(double loss) const;
  // E[max(0, landing − loss)].
  double mean_above(double loss) const;
  // Practically all of the distribution lies between these.
  double low() const;
  double high() const;
};

// One epoch from `loss`, its decrease multiplied by `luck` and by X.
Landing epoch_landing(const LearningRule& rule, double loss, double luck, double spread);
// The decrease of one epoch from `loss` that the rule expects, were there no floor.
double unclipped_decrease(const LearningRule& rule, double loss);

// Weights on neighbouring knots.
struct KnotWeights {
  std::size_t first = 0;
  std::vector<double> weights;
};

// Problem.    The mean of a function that is known at the knots, over where the loss lands above
// the
//             first knot.
// Idea.       The mean of a hat function is a second difference of E[max(0, landing − knot)], which
//             has a closed form (that of Black and Scholes for an option): no sampling, no
//             quadrature.
// Invariant.  The weights are not negative and sum to the share above the first knot.
KnotWeights spread_over(const LossGrid& grid, const Landing& landing);

// The least loss that an epoch from `loss` can end at.
double least_after(const LearningRule& rule, double loss);

// A jump whose addition is multiplied by X: three jumps stand for all of them (Gauss and Hermite);
// one if there is no spread.
struct WeightedJump {
  Jump jump;
  double weight = 1;
};
std::vector<WeightedJump> weighted_jumps(const Jump& jump, double spread);

// Where one of them lands, and how much that counts. Below the first knot counts as there.
struct JumpLanding {
  std::uint32_t cell = 0;
  float low = 0;   // weight of the cell's lower knot
  float high = 0;  // and of its upper one
};
JumpLanding landing_of(const LossGrid& grid, const WeightedJump& jump, double loss);

}  // namespace espalier
