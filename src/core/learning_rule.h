// SPDX-License-Identifier: Apache-2.0
// How one epoch of training changes the loss, and how a switch of models does.
#pragma once

#include <algorithm>
#include <variant>
#include <vector>

namespace espalier {

// loss ← loss − min(rate·x^power, x) with x = max(0, loss − floor).
struct PowerRule {
  double rate = 0;
  double floor = 0;
  double power = 1;
  friend bool operator==(const PowerRule&, const PowerRule&) = default;
};

// Epoch number k adds steps[k−1]; nothing past the end; the loss never falls below 0.
struct StepsRule {
  std::vector<double> steps;
  friend bool operator==(const StepsRule&, const StepsRule&) = default;
};

// A strictly decreasing loss curve, one point per epoch. From a loss between two points the next
// loss is one epoch further along; above the first point the loss falls by the first step; at or
// below the last point nothing changes.
struct CurveRule {
  std::vector<double> points;
  friend bool operator==(const CurveRule&, const CurveRule&) = default;
};

using RuleShape = std::variant<PowerRule, StepsRule, CurveRule>;

// One epoch of training as a function of the loss before it. Immutable.
// `factor` scales the decrease (noise, a bias, caution); the result never passes the floor.
class LearningRule {
 public:
  LearningRule() = default;
  explicit LearningRule(RuleShape shape, double factor = 1)
      : shape_(std::move(shape)), factor_(factor) {}

  // The loss after epoch number `epoch` (1, 2, …) that began at `loss`. `luck` multiplies the
  // decrease.
  double next(int epoch, double loss, double luck = 1) const;

  // The largest loss in [0, ceiling] from which one epoch lands at `loss` or below; slightly
  // rounded up, so that it is a safe bound. Negative where even a loss of 0 does not. REQUIRES:
  // monotone_up_to(luck) ≥ ceiling.
  double largest_before(int epoch, double loss, double ceiling, double luck = 1) const;

  // The rule never decreases as a function of the loss on [0, this]; infinite if it never does.
  double monotone_up_to(double luck = 1) const;

  // The number of the last epoch whose change differs from later ones; 0 if the epoch number is
  // irrelevant.
  int last_special_epoch() const;

  // The most the loss can rise, summed over all epochs.
  double largest_rise() const;

  const RuleShape& shape() const { return shape_; }
  double factor() const { return factor_; }
  LearningRule scaled(double factor) const { return LearningRule(shape_, factor_ * factor); }
  friend bool operator==(const LearningRule&, const LearningRule&) = default;

 private:
  RuleShape shape_ = PowerRule{};
  double factor_ = 1;
};

// A switch of models: loss ← scale·loss + add, never below 0.
struct Jump {
  double add = 0;
  double scale = 1;

  double apply(double loss) const { return std::max(0.0, scale * loss + add); }
  // The largest loss from which the jump lands at `loss` or below.
  double largest_before(double loss) const { return (loss - add) / scale; }
  friend bool operator==(const Jump&, const Jump&) = default;
};

// The q-quantile of exp(σ·Z − σ²/2), Z standard normal: the spread of a decrease or a jump.
double lognormal_quantile(double sigma, double q);

// The inverse of the standard normal distribution function, for q in (0, 1).
double normal_quantile(double q);

}  // namespace espalier
