// SPDX-License-Identifier: Apache-2.0
#include "estimation/masses.h"

#include <algorithm>
#include <map>
#include <set>

namespace espalier {
namespace {

// Sums of masses are rounded: such a share is no difference.
constexpr double kRounding = 1e-9;

std::map<std::size_t, double> predictions_by_run(std::span<const Judged> judged) {
  std::map<std::size_t, double> counts;
  for (const Judged& one : judged) counts[one.run] += 1;
  return counts;
}

}  // namespace

std::size_t count_runs(std::span<const Judged> judged) { return predictions_by_run(judged).size(); }

std::size_t count_independent(std::span<const Judged> judged) {
  std::set<std::size_t> all;
  for (const Judged& one : judged) all.insert(one.independent());
  return all.size();
}

std::vector<double> masses(std::span<const Judged> judged, Average average) {
  const auto counts = predictions_by_run(judged);
  const double alike = static_cast<double>(counts.size()) / static_cast<double>(judged.size());
  std::vector<double> result;
  result.reserve(judged.size());
  for (const Judged& one : judged)
    result.push_back(average == Average::OverRuns ? 1 / counts.at(one.run) : alike);
  return result;
}

std::optional<double> quantile_by_mass(std::vector<Score> scores, double mass) {
  std::sort(scores.begin(), scores.end(),
            [](const Score& a, const Score& b) { return a.value < b.value; });
  double sum = 0;
  for (const Score& score : scores) {
    sum += score.mass;
    if (sum >= mass * (1 - kRounding)) return score.value;
  }
  return std::nullopt;
}

}  // namespace espalier
