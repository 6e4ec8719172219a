// SPDX-License-Identifier: Apache-2.0
#include "estimation/judgement.h"

#include <algorithm>

namespace espalier {

JudgedForecasts judge(const RunEstimator& estimator, std::span<const RunQuestion> questions) {
  std::vector<History> histories;
  for (const RunQuestion& question : questions) {
    for (const RunExample& example : question.examples) histories.push_back(example.history);
  }
  const std::vector<Forecast> forecasts = estimator.forecast(histories);

  JudgedForecasts judged;
  auto forecast = forecasts.begin();
  for (const RunQuestion& question : questions) {
    for (const RunExample& example : question.examples) {
      const std::size_t known = std::min(example.next.size(), judged.size());
      for (std::size_t h = 0; h < known; ++h)
        judged[h].push_back({(*forecast)[h], example.next[h], question.run});
      ++forecast;
    }
  }
  return judged;
}

std::vector<Judged> judge(const ChangeEstimator& estimator,
                          std::span<const ChangeQuestion> questions) {
  std::vector<Pruning> changes;
  for (const ChangeQuestion& question : questions) {
    for (const ChangeExample& example : question.examples) changes.push_back(example.change);
  }
  const std::vector<LossRange> ranges = estimator.after(changes);

  std::vector<Judged> judged;
  auto range = ranges.begin();
  for (const ChangeQuestion& question : questions) {
    for (const ChangeExample& example : question.examples)
      judged.push_back({*range++, example.after, question.run});
  }
  return judged;
}

std::vector<std::vector<Judged>> judge_ahead(const PowerLawEstimator& estimator,
                                             std::span<const RunQuestion> questions,
                                             std::size_t epochs) {
  std::vector<std::vector<Judged>> judged(epochs);
  for (const RunQuestion& question : questions) {
    for (const RunExample& example : question.examples) {
      const std::size_t known = std::min(example.next.size(), epochs);
      const std::vector<LossRange> ranges = estimator.ahead(example.history, known);
      for (std::size_t h = 0; h < known; ++h)
        judged[h].push_back({ranges[h], example.next[h], question.run});
    }
  }
  return judged;
}

}  // namespace espalier
