// SPDX-License-Identifier: Apache-2.0
// How much each prediction counts, where runs are what is independent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "estimation/judgement.h"

namespace espalier {

// What shall come true on average.
enum class Average {
  OverRuns,    // a random epoch of a random run: runs count alike
  OverEpochs,  // a random epoch of all: long runs count more, as in pooled metrics
};

// A score, and the mass that it has.
struct Score {
  double value = 0;
  double mass = 0;
};

// The masses of predictions: a sum of 1 for each run on average.
std::vector<double> masses(std::span<const Judged> judged, Average average);

// How many different runs there are, and how many that are independent of each other.
std::size_t count_runs(std::span<const Judged> judged);
std::size_t count_independent(std::span<const Judged> judged);

// The smallest value up to which there is that much mass; nothing if there is less in all.
std::optional<double> quantile_by_mass(std::vector<Score> scores, double mass);
// The same, between two scores in proportion: a rank that is rounded up is too much on average.
std::optional<double> quantile_between(std::vector<Score> scores, double mass);

}  // namespace espalier
