// SPDX-License-Identifier: Apache-2.0
// Many loss curves as one learning rule.
#pragma once

#include <vector>

#include "core/scenario.h"

namespace espalier {

// One loss per epoch each; borrowed.
using Curves = std::vector<const std::vector<double>*>;

// At most so many epochs count.
inline constexpr std::size_t kLongestMeanCurve = 10'000;

// Begins at the mean of the first losses and falls in each epoch by the mean of the curves that
// last that long, so that a curve's end makes no step. Where that would rise, neighbouring epochs
// are pooled (isotonic regression), and straight lines join the middles of the pools. A rule that
// does nothing if the curves do not fall. REQUIRES: no curve is empty.
RuleShape mean_curve(const Curves& curves);

// How far the decreases of single curves, and of their single epochs, are from those of the rule.
NoiseSpec spread_around(const RuleShape& rule, const Curves& curves);

}  // namespace espalier
