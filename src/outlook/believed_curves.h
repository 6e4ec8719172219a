// SPDX-License-Identifier: Apache-2.0
// From ranges of losses to what strategies understand: rules, noise, jumps.
#pragma once

#include <span>
#include <vector>

#include "core/problem.h"
#include "outlook/imagination.h"

namespace espalier {

// The curve as a rule, which has to fall with each epoch: it goes straight from each loss to the
// next that is clearly lower, and ends at the lowest. REQUIRES: at least one loss.
CurveRule falling_curve(const std::vector<double>& losses);

// Expected: the means. Robust: the upper ends, as far as they are above the expected curve.
Estimated<CurveRule> curves_of(const Imagined& imagined);

// The spread of decreases that explains the ways best. The luck of a whole run is what makes the
// decrease differ between the ways where they arrive, `goal` being the loss to arrive at; what the
// first epoch differs beyond that is the luck of single epochs.
NoiseSpec noise_of(const Imagined& imagined, double goal);

// A change, as it would be made at some loss.
struct ImaginedJump {
  double before = 0;
  LossRange after{};
};

struct JumpBelief {
  Estimated<Jump> jump{};
  double noise = 0;
};

// The line through the means, by least squares; the robust one runs above it, by as much as the
// upper ends are higher on average. REQUIRES: at least one.
JumpBelief jump_of(std::span<const ImaginedJump> imagined);

}  // namespace espalier
