// SPDX-License-Identifier: Apache-2.0
// The paper's figure 4: the losses of a course with two prunings, and what was expected of it.
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "estimation/learning_examples.h"
#include "estimation/trace_stories.h"
#include "evidence/figures.h"

namespace espalier {
namespace {

constexpr double kLineBreak = std::numeric_limits<double>::quiet_NaN();

// The one with the most prunings, the longest of those, the first of those.
const RunStory* telling_story(const TraceStories& stories) {
  const auto stages = [](const RunStory& story) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < story.points.size(); ++i) count += story.points[i].stage == i;
    return count;
  };
  const RunStory* best = nullptr;
  for (const RunStory& story : stories.runs) {
    const auto rank = [&](const RunStory& s) { return std::pair(stages(s), s.points.size()); };
    if (best == nullptr || rank(*best) < rank(story)) best = &story;
  }
  return best;
}

// The run as a whole: what came before counts as its own.
RunStory as_own(RunStory story) {
  for (StoryPoint& point : story.points) point.is_own = true;
  return story;
}

struct PredictedCourse {
  ChartSeries truth{.name = "true loss", .colour = 7};
  ChartSeries expected{
      .name = "expected, 5 epochs ahead", .colour = 0, .mark = ChartSeries::Mark::Dashed};
  ChartSeries robust{
      .name = "robust (0.95 quantile)", .colour = 4, .mark = ChartSeries::Mark::Dashed};
  ChartSeries changes{
      .name = "expected right after pruning", .colour = 2, .mark = ChartSeries::Mark::Dots};
};

// From every fifth loss of a stage on.
void predict_epochs(const RunStory& story, const LearningForecaster& forecaster,
                    PredictedCourse& course) {
  for (std::size_t i = 0; i + 1 < story.points.size(); ++i) {
    const StoryPoint& now = story.points[i];
    if ((i - now.stage) % kEpochsAhead != 0) continue;
    History history{{}, now.now, now.stage};
    for (std::size_t k = 0; k <= i; ++k) history.losses.push_back(story.points[k].loss);
    const auto said = forecaster.ahead(std::vector{history}, kEpochsAhead).front();
    for (auto* series : {&course.expected, &course.robust})
      series->points.push_back({static_cast<double>(i), now.loss});
    for (std::size_t h = 0; h < said.size() && i + h + 1 < story.points.size(); ++h) {
      if (story.points[i + h + 1].stage != now.stage) break;
      const auto x = static_cast<double>(i + h + 1);
      course.expected.points.push_back({x, said[h].mean, said[h].low, said[h].high});
      course.robust.points.push_back({x, said[h].high});
    }
    for (auto* series : {&course.expected, &course.robust})
      series->points.push_back({static_cast<double>(i), kLineBreak});
  }
}

void predict_changes(const RunStory& story, const LearningForecaster& forecaster,
                     PredictedCourse& course) {
  if (!forecaster.knows_changes()) return;
  for (std::size_t i = 1; i < story.points.size(); ++i) {
    const StoryPoint& now = story.points[i];
    const StoryPoint& last = story.points[i - 1];
    if (now.stage != i || now.now.prune == last.now.prune) continue;
    Pruning change{.from = last.now.prune,
                   .to = now.now.prune,
                   .is_handed_over = now.now.samples != last.now.samples,
                   .samples_before = last.now.samples,
                   .samples_after = now.now.samples};
    for (std::size_t k = 0; k < change.before.size(); ++k) {
      const std::size_t back = change.before.size() - k;
      change.before[k] = story.points[i >= back ? i - back : 0].loss;
    }
    const LossRange said = forecaster.after(std::vector{change}).front();
    course.changes.points.push_back({static_cast<double>(i), said.mean});
  }
}

PredictedCourse predict(const RunStory& story, const LearningForecaster& forecaster) {
  PredictedCourse course;
  for (std::size_t i = 0; i < story.points.size(); ++i)
    course.truth.points.push_back({static_cast<double>(i), story.points[i].loss});
  predict_epochs(story, forecaster, course);
  predict_changes(story, forecaster, course);
  return course;
}

// Around the first pruning, where predictions are hardest: on the whole course they lie too close
// to the truth to be told apart.
struct CloseLook {
  double from = 0;
  double to = 0;
};

CloseLook around_first_pruning(const RunStory& story) {
  constexpr double kBefore = 10;
  constexpr double kAfter = 20;
  std::size_t first = 0;
  for (std::size_t i = story.points.size(); i-- > 1;)
    if (story.points[i].stage == i) first = i;
  const auto at = static_cast<double>(first);
  return {at - kBefore, at + kAfter};
}

ChartSeries seen(const CloseLook& look, ChartSeries series) {
  std::erase_if(series.points,
                [&](const ChartPoint& p) { return p.x < look.from || p.x > look.to; });
  return series;
}

void add_rows(Sheet& sheet, const std::string& run, const ChartSeries& series) {
  for (const ChartPoint& p : series.points)
    sheet.rows.push_back(
        {run, series.name, p.x, p.y, p.low.value_or(kLineBreak), p.high.value_or(kLineBreak)});
}

Exhibit show_predictions(const EvidenceInput& input, const Findings&) {
  Exhibit exhibit{
      .id = "fig4",
      .title = "Predicted and true losses (PACT, fig. 4)",
      .words = {"A real course of a seed that the estimators never saw, for each group of seeds. "
                "From every fifth epoch on: what is expected of the next five, the range for 90 %, "
                "and its upper end, which plans count on. Dots: what was expected right after a "
                "pruning and the hand-over."}};
  Sheet sheet{.name = "fig4",
              .columns = {"run", "what", "step", "loss", "low", "high"},
              .rows = {},
              .is_shown = false};
  for (std::size_t i = 0; i < input.splits.size(); ++i) {
    const TraceStories stories = tell_stories(input.splits[i].judged_rows);
    const RunStory* told = telling_story(stories);
    if (told == nullptr) continue;
    const PredictedCourse course = predict(as_own(*told), input.forecasters[i]);
    const std::vector all{course.expected, course.robust, course.changes, course.truth};
    exhibit.charts.push_back({.title = told->run,
                              .about = "steps: epochs, and one for each pruning with its hand-over",
                              .x_name = "step",
                              .y_name = "loss",
                              .series = all});
    std::vector<ChartSeries> close;
    for (const ChartSeries& series : all)
      close.push_back(seen(around_first_pruning(*told), series));
    exhibit.charts.push_back({.title = "around its first pruning",
                              .about = "the same steps, seen closer",
                              .x_name = "step",
                              .y_name = "loss",
                              .series = close});
    for (const ChartSeries& series : all) add_rows(sheet, told->run, series);
  }
  exhibit.sheets.push_back(std::move(sheet));
  return exhibit;
}

}  // namespace

FigureEntry predicted_losses() {
  return {.id = "fig4",
          .about = "predicted and true losses of a real course",
          .estimators = FigureEntry::Estimators::Needed,
          .show = show_predictions};
}

}  // namespace espalier
