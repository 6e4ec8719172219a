// SPDX-License-Identifier: Apache-2.0
#include "evidence/estimator_accuracy.h"

#include <cmath>
#include <map>

#include "estimation/judgement.h"
#include "estimation/learning_examples.h"
#include "estimation/trace_stories.h"

namespace espalier {
namespace {

// Answers of several parts: splits, or splits and epochs ahead.
struct Questioned {
  std::vector<std::vector<Judged>> parts{};
  double naive_error = 0;
  std::size_t count = 0;

  void judge_naive(double said, double came) {
    naive_error += std::abs(said - came);
    ++count;
  }
};

SubjectAccuracy accuracy_of(const Questioned& asked) {
  std::vector<Metrics> metrics;
  std::vector<Judged> all;
  for (const auto& part : asked.parts) {
    metrics.push_back(measure(part));
    all.insert(all.end(), part.begin(), part.end());
  }
  return {spread_of(metrics), measure(all),
          asked.count == 0 ? 0 : asked.naive_error / static_cast<double>(asked.count)};
}

// Which seed a story belongs to, as a number.
class Families {
 public:
  std::size_t operator()(const std::string& family) {
    return numbers_.try_emplace(family, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

void ask_about_runs(const TraceStories& stories, const LearningForecaster& forecaster,
                    Questioned& asked) {
  Families families;
  std::vector<std::vector<Judged>> ahead(kEpochsAhead);
  for (std::size_t i = 0; i < stories.runs.size(); ++i) {
    const RunStory& story = stories.runs[i];
    const auto examples = run_examples(story);
    std::vector<History> histories;
    for (const RunExample& example : examples) histories.push_back(example.history);
    const auto said = forecaster.ahead(histories, kEpochsAhead);
    for (std::size_t e = 0; e < examples.size(); ++e) {
      const auto& losses = histories[e].losses;
      const double step = losses.size() > 1 ? losses.back() - losses[losses.size() - 2] : 0;
      for (std::size_t h = 0; h < examples[e].next.size(); ++h) {
        ahead[h].push_back({said[e][h], examples[e].next[h], i, families(story.family)});
        asked.judge_naive(losses.back() + step * static_cast<double>(h + 1), examples[e].next[h]);
      }
    }
  }
  for (auto& part : ahead) {
    if (!part.empty()) asked.parts.push_back(std::move(part));
  }
}

void ask_about_changes(const TraceStories& stories, const LearningForecaster& forecaster,
                       Questioned& asked) {
  Families families;
  std::vector<Judged> judged;
  for (std::size_t i = 0; i < stories.runs.size(); ++i) {
    const RunStory& story = stories.runs[i];
    std::vector<Pruning> changes;
    for (const ChangeExample& example : story.changes) changes.push_back(example.change);
    const auto said = forecaster.after(changes);
    for (std::size_t c = 0; c < changes.size(); ++c) {
      judged.push_back({said[c], story.changes[c].after, i, families(story.family)});
      asked.judge_naive(changes[c].before.back(), story.changes[c].after);
    }
  }
  if (!judged.empty()) asked.parts.push_back(std::move(judged));
}

}  // namespace

EstimatorAccuracy measure_estimators(std::span<const SeedSplit> splits,
                                     std::span<const LearningForecaster> forecasters) {
  Questioned runs;
  Questioned changes;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const TraceStories stories = tell_stories(splits[i].judged_rows);
    ask_about_runs(stories, forecasters[i], runs);
    if (forecasters[i].knows_changes()) ask_about_changes(stories, forecasters[i], changes);
  }
  EstimatorAccuracy accuracy{accuracy_of(runs), {}};
  if (!changes.parts.empty()) accuracy.change = accuracy_of(changes);
  return accuracy;
}

}  // namespace espalier
