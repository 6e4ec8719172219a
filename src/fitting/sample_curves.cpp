// SPDX-License-Identifier: Apache-2.0
// The runs that a report shows: of as different conditions as there are, long ones first.
#include <algorithm>
#include <map>
#include <tuple>

#include "fitting/figures.h"

namespace espalier {
namespace {

constexpr std::size_t kStarts = 3;
constexpr std::size_t kMostPoints = 400;

std::size_t own_points(const RunStory& story) {
  return static_cast<std::size_t>(std::ranges::count_if(story.points, &StoryPoint::is_own));
}

// The runs that were asked about, the longest first.
std::vector<std::size_t> asked_runs(std::span<const RunStory> stories, const Answers& answers) {
  std::vector<std::size_t> runs;
  for (const HeldOut& one : answers) runs.push_back(one.run);
  std::ranges::sort(runs);
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  std::ranges::stable_sort(runs, std::ranges::greater{},
                           [&](std::size_t run) { return own_points(stories[run]); });
  return runs;
}

// The first of each kind, then the second of each, and so on.
std::vector<std::size_t> of_all_kinds(std::span<const RunStory> stories,
                                      const std::vector<std::size_t>& runs, std::size_t count) {
  using Kind = std::tuple<double, std::int64_t, int>;
  std::map<Kind, std::size_t> seen;
  struct Candidate {
    std::size_t turn;
    std::size_t run;
  };
  std::vector<Candidate> candidates;
  for (const std::size_t run : runs) {
    const Conditions& now = stories[run].points.back().now;
    candidates.push_back({seen[{now.prune, now.samples, now.classes}]++, run});
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::turn);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(count, candidates.size()); ++i)
    chosen.push_back(candidates[i].run);
  return chosen;
}

std::vector<SampleCurve::Point> points_of(const RunStory& story) {
  std::vector<SampleCurve::Point> points;
  const std::size_t every = story.points.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < story.points.size(); i += every)
    points.push_back({story.points[i].epoch, story.points[i].loss, story.points[i].is_own});
  return points;
}

double loss_after(const RunStory& story, int epoch) {
  double loss = story.points.front().loss;
  for (const StoryPoint& point : story.points) {
    if (point.epoch <= epoch) loss = point.loss;
  }
  return loss;
}

// All that was said of the run, by the epoch that was asked after.
std::map<int, SampleCurve::Start> starts_of(std::size_t run, const AnswersAhead& answers) {
  std::map<int, SampleCurve::Start> starts;
  for (std::size_t h = 0; h < answers.size(); ++h) {
    for (const HeldOut& one : answers[h]) {
      if (one.run != run) continue;
      SampleCurve::Start& start = starts[one.epoch];
      start.epoch = one.epoch;
      start.predictions.push_back({kHorizons[h], one.said[position_of(Voice::Calibrated)]});
    }
  }
  return starts;
}

// The first one, and others at equal distances.
std::vector<SampleCurve::Start> some_of(const std::map<int, SampleCurve::Start>& starts) {
  std::vector<SampleCurve::Start> some;
  const std::size_t every = (starts.size() + kStarts - 1) / kStarts;
  std::size_t i = 0;
  for (const auto& [epoch, start] : starts) {
    if (i++ % every == 0) some.push_back(start);
  }
  return some;
}

SampleCurve sample_of(const RunStory& story, std::size_t run, const AnswersAhead& answers) {
  SampleCurve sample{.run = story.run, .now = story.points.back().now};
  sample.points = points_of(story);
  sample.starts = some_of(starts_of(run, answers));
  for (SampleCurve::Start& start : sample.starts) start.loss = loss_after(story, start.epoch);
  return sample;
}

}  // namespace

std::vector<SampleCurve> sample_curves(std::span<const RunStory> stories,
                                       const AnswersAhead& answers, std::size_t count) {
  std::vector<SampleCurve> samples;
  const auto runs = of_all_kinds(stories, asked_runs(stories, answers.front()), count);
  for (const std::size_t run : runs) samples.push_back(sample_of(stories[run], run, answers));
  return samples;
}

}  // namespace espalier
