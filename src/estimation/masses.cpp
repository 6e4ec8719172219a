// SPDX-License-Identifier: Apache-2.0
#include "estimation/masses.h"

#include <algorithm>
#include <cmath>
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

// The first score, in order, up to which there is so much mass, and how much that is.
struct Step {
  std::size_t score = 0;
  double sum = 0;
};

std::optional<Step> step_at(std::vector<Score>& scores, double mass) {
  std::sort(scores.begin(), scores.end(),
            [](const Score& a, const Score& b) { return a.value < b.value; });
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum += scores[i].mass;
    if (sum >= mass * (1 - kRounding)) return Step{i, sum};
  }
  return std::nullopt;
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
  const std::optional<Step> step = step_at(scores, mass);
  if (!step) return std::nullopt;
  return scores[step->score].value;
}

std::optional<double> quantile_between(std::vector<Score> scores, double mass) {
  const std::optional<Step> step = step_at(scores, mass);
  if (!step) return std::nullopt;
  const Score& above = scores[step->score];
  if (step->score == 0 || std::isinf(scores[step->score - 1].value)) return above.value;
  const double too_much = std::clamp((step->sum - mass) / above.mass, 0.0, 1.0);
  return above.value - too_much * (above.value - scores[step->score - 1].value);
}

}  // namespace espalier
