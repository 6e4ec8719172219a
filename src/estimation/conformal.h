// SPDX-License-Identifier: Apache-2.0
// Conformal calibration: makes ranges come true as often as they say, whatever the estimator did.
//
// Problem. An estimator's 0.05 and 0.95 quantiles are its opinion. Given its predictions for runs
// that it did not learn from, and what came, find what to add at either end so that on average over
// further runs a loss is above the range with probability 0.05 at most, and below it likewise.
//
// Idea (conformalised quantile regression, Romano et al. 2019; each side by itself, because the
// upper end alone is the robust estimate). The score of a prediction is by how much it was missed:
// came − high. If n scores and that of the next prediction are exchangeable, the next one is
// equally likely to have any rank among the n + 1; so the ⌈0.95·(n + 1)⌉-th smallest of the n is
// exceeded with probability 0.05 at most, for any n and any distribution. Rounding the rank up
// makes ranges too wide where n is small; so a rank between two takes a score between theirs, in
// proportion, and for any distribution the promise holds to within one rank, 1/(n + 1).
//
// Clusters. Epochs of one run are alike: a run that learns badly is missed at all of them. What is
// exchangeable are the runs (Dunn et al. 2022, Lee et al. 2023: hierarchical conformal prediction).
// So each run has the mass 1, spread over its own scores. Were all scores of a run the same, the n
// runs would be n scores, and the quantile that of the rank above. Were they independent, a run
// would be worth as many as it has. What they are worth follows from how much the shares of runs
// that are missed differ from run to run; the rank is that of as many independent scores. Taking
// each run for one score, whatever it holds, is safe, and keeps 94 to 97 % where 90 were asked for.
// Runs that grew from one beginning may be missed together as well; where it is said which do
// (Judged::family), families stand for runs in this.
//
// With fewer than 19 runs, 0.95 of n + 1 is more than there is: nothing can be promised whatever
// the runs are like, and that is said.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/judgement.h"
#include "estimation/masses.h"

namespace espalier {

// In what the ends are moved.
enum class Stretching {
  Added,   // losses: every range by the same
  Scaled,  // widths of the range: for estimators that know where they are unsure, but not how much
};

struct ConformalOptions {
  // How often a loss may be above the range, and how often below it.
  double miss = 0.05;
  Stretching stretch = Stretching::Added;
  Average average = Average::OverRuns;
};

// What is to be done to a range.
struct Adjustment {
  Stretching stretch = Stretching::Added;
  double down = 0;   // of the lower end; −∞ as far as the mean
  double shift = 0;  // of the mean, upwards
  double up = 0;     // of the upper end; −∞ as far as the mean
  std::size_t runs = 0;
  bool is_guaranteed = false;  // there were enough runs
  friend bool operator==(const Adjustment&, const Adjustment&) = default;
};

// Without a single prediction: no adjustment, and no guarantee.
Adjustment calibrate(std::span<const Judged> judged, const ConformalOptions& options = {});

// With whichever stretch gives the shorter ranges on these predictions; options.stretch is ignored.
// To choose among two on the same runs costs next to nothing of the promise.
Adjustment calibrate_shortest(std::span<const Judged> judged, ConformalOptions options = {});

// In order, and nothing below 0. Takes ranges that are not in order. The ends stay on their sides
// of the mean.
LossRange adjusted(const LossRange& range, const Adjustment& adjustment);

// A range whose ends may have been swapped, with the mean pushed inside.
LossRange in_order(LossRange range);

// Both ends so many times as far from the mean; nothing below 0.
LossRange widened(const LossRange& range, double times);

// The unit in which the ends of this range are moved.
double unit_of(const LossRange& range, Stretching stretch);

// By how much predictions were missed, in units; −∞ for what was on the other side of the mean.
struct Misses {
  double shift = 0;  // of the mean, before looking on which side a loss is
  std::vector<Score> below{};
  std::vector<Score> above{};
};

// REQUIRES: a mass for each prediction.
Misses misses_of(std::span<const Judged> judged, std::span<const double> mass, Stretching stretch);

}  // namespace espalier
