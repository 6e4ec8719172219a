// SPDX-License-Identifier: Apache-2.0
// From ranges of losses to what strategies understand: rules, noise, jumps.
#pragma once

#include <optional>
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

// How many epochs later one gets to the goal, or to the lowest loss that both reach, than the other
// does. Nothing if they cannot be compared.
std::optional<double> epochs_behind(const Imagined& one, const Imagined& other, double goal);

// What arriving is worth where a rule is to be that of `reference`: the loss at which the reference
// has as many epochs left as `arriving`. A rule knows nothing but the loss. But of two networks
// with the same loss right after a change the one that was trained for longer before learns faster,
// and the loss that matters is what it amounts to. The loss on arrival itself if they cannot be
// compared.
double worth_of_arrival(const Imagined& arriving, const Imagined& reference, double goal);

// A loss from which it takes so many epochs to where a curve begins.
struct Beginning {
  double epochs = 0;
  double loss = 0;
};

// The curve, going on upwards through those that are later and higher than the one before.
Imagined preceded_by(const std::vector<Beginning>& beginnings, const Imagined& curve);

// A change, as it would be made at some loss.
struct ImaginedJump {
  double before = 0;
  LossRange after{};
  double weight = 1;
};

struct JumpBelief {
  Estimated<Jump> jump{};
  double noise = 0;
};

// The line through the means, by weighted least squares; the robust one runs above it, by as much
// as the upper ends are higher on average. REQUIRES: at least one.
JumpBelief jump_of(std::span<const ImaginedJump> imagined);

}  // namespace espalier
