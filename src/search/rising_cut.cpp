// SPDX-License-Identifier: Apache-2.0
#include "search/rising_cut.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

// The first cut lies this far above the bound, relative to it. Then the distance doubles, but no
// faster than labels multiply by kLabelGrowth: a cut far above the optimum costs more than all
// passes below it.
constexpr double kFirstCut = 2e-4;
constexpr double kLargestRise = 2;
constexpr double kRiseAfterGuess = 1.25;
constexpr double kSmallestRise = 1.12;
constexpr double kLabelGrowth = 3;
constexpr std::int64_t kCheapLabels = 5000;
// A cut this close to the best plan (share of the gap) may as well be the best plan.
constexpr double kNearUpper = 0.5;

// How far above the bound the next cut lies, from how labels grew with the last ones.
struct Rise {
  double height = 0;
  double factor = kLargestRise;
  std::int64_t last_labels = 0;

  void after_pass(std::int64_t labels) {
    if (labels <= kCheapLabels) {
      factor = kLargestRise;
    } else if (last_labels > 0) {
      const double exponent =
          std::log(static_cast<double>(labels) / static_cast<double>(last_labels)) /
          std::log(factor);
      factor = exponent > 0 ? std::pow(kLabelGrowth, 1 / exponent) : kLargestRise;
    }
    factor = std::clamp(factor, kSmallestRise, kLargestRise);
    last_labels = labels;
    height *= factor;
  }
};

}  // namespace

bool close(Bracket& bracket, const SearchGraph& graph, const State& now, const Pass& pass,
           double guess) {
  const double base = bracket.lower;
  Rise rise{kFirstCut * std::max(base, 1e-9)};
  if (guess - base > rise.height) rise = {guess - base, kRiseAfterGuess};
  while (!bracket.is_closed()) {
    double cut = std::min(base + rise.height, bracket.upper);
    const double middle = bracket.lower + kNearUpper * (bracket.upper - bracket.lower);
    if (bracket.best && cut > middle) cut = bracket.upper;
    const LabelSearch::Outcome outcome = pass(cut);
    if (!outcome.path.empty()) {
      bracket.best = follow(graph.problem(), graph.estimator(), now, outcome.path);
      bracket.upper = bracket.best->end().energy.value;
    }
    if (!outcome.complete) return false;
    if (!outcome.met_cut) cut = bracket.upper;
    bracket.lower = std::max(bracket.lower, std::min(cut, bracket.upper));
    rise.after_pass(outcome.labels);
  }
  return true;
}

}  // namespace espalier
