// SPDX-License-Identifier: Apache-2.0
// The loops over the members of an ensemble.
#pragma once

#include <span>

#include "core/learning_rule.h"

namespace espalier {

// losses[i] ← what LearningRule(rule, factor).next(…, losses[i], luck[i]) returns; one function for
// rules whose power is 1, one for the others. REQUIRES here and below: spans of equal size.
void linear_epoch(std::span<double> losses, std::span<const double> luck, const PowerRule& rule,
                  double factor);
void power_epoch(std::span<double> losses, std::span<const double> luck, const PowerRule& rule,
                 double factor);

// losses[i] ← what with_luck(jump, luck[i]).apply(losses[i]) returns.
void apply_jump(std::span<double> losses, std::span<const double> luck, const Jump& jump);

// luck[i] ← luck[i]·lognormal(sigma, z[i]). REQUIRES: sigma ≠ 0.
void multiply_by_lognormal(std::span<double> luck, double sigma, std::span<const double> z);

}  // namespace espalier
