// SPDX-License-Identifier: Apache-2.0
#include "estimation/trace_stories.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// 1/gold, pruned by half after 2 of its 3 epochs, handed over to silver.
std::vector<TraceRow> small_tree() {
  std::vector<TraceRow> rows = fresh_run("1/gold", {2.0, 1.5, 1.2, 1.0});
  rows.push_back(trace_row("1/gold/2x0.5", 2, 1.8, TraceEvent::Prune));
  rows.push_back(trace_row("1/gold/2x0.5/silver", 2, 1.9, TraceEvent::HandOver));
  rows.push_back(trace_row("1/gold/2x0.5/silver", 3, 1.4));
  rows.push_back(trace_row("1/gold/2x0.5/silver", 4, 1.3));
  for (std::size_t i = 4; i < rows.size(); ++i) rows[i].prune = 0.5;
  return rows;
}

std::vector<double> losses_of(const RunStory& story) {
  std::vector<double> losses;
  for (const StoryPoint& point : story.points) losses.push_back(point.loss);
  return losses;
}

TEST(TraceStories, BeginWithWhatCameBeforeTheRun) {
  const TraceStories stories = tell_stories(small_tree());
  ASSERT_EQ(stories.runs.size(), 3U);
  const RunStory& last = stories.runs[2];
  EXPECT_EQ(last.run, "1/gold/2x0.5/silver");
  EXPECT_EQ(losses_of(last), (std::vector<double>{2.0, 1.5, 1.2, 1.9, 1.4, 1.3}))
      << "the third epoch on gold was after the pruning, and one change is one loss";
  EXPECT_EQ(last.points.back().stage, 3U);
  EXPECT_EQ(last.points.back().now.prune, 0.5);
}

TEST(TraceStories, HaveEachRowAsTheirOwnOnce) {
  std::size_t own = 0;
  const auto rows = small_tree();
  for (const RunStory& story : tell_stories(rows).runs) {
    own += static_cast<std::size_t>(std::count_if(story.points.begin(), story.points.end(),
                                                  [](const StoryPoint& p) { return p.is_own; }));
  }
  EXPECT_EQ(own, rows.size());
}

TEST(TraceStories, DoNotDependOnTheOrderOfRows) {
  auto rows = small_tree();
  std::reverse(rows.begin(), rows.end());
  const TraceStories stories = tell_stories(rows);
  EXPECT_EQ(losses_of(stories.runs[2]), losses_of(tell_stories(small_tree()).runs[2]));
}

TEST(TraceStories, SeeAPruningWithTheLossesBeforeIt) {
  const TraceStories stories = tell_stories(small_tree());
  ASSERT_EQ(stories.runs[1].changes.size(), 1U);
  const ChangeExample& seen = stories.runs[1].changes[0];
  EXPECT_EQ(seen.change.from, 0);
  EXPECT_EQ(seen.change.to, 0.5);
  EXPECT_EQ(seen.change.before, (std::array{2.0, 2.0, 2.0, 1.5, 1.2})) << "the oldest is repeated";
  EXPECT_EQ(seen.after, 1.9) << "the loss that training goes on from";
  EXPECT_TRUE(seen.change.is_handed_over);
  EXPECT_TRUE(stories.runs[2].changes.empty()) << "it is told where the network was pruned";
}

TEST(TraceStories, SeeANetworkThatIsHandedOverToSeveralAsOnePruning) {
  auto rows = small_tree();
  rows.push_back(trace_row("1/gold/2x0.5/bronze", 2, 2.1, TraceEvent::HandOver));
  rows.back().prune = 0.5;
  rows.back().samples = 1500;
  const TraceStories stories = tell_stories(rows);
  ASSERT_EQ(stories.runs[1].run, "1/gold/2x0.5");
  ASSERT_EQ(stories.runs[1].changes.size(), 2U);
  EXPECT_EQ(stories.runs[1].changes[0].after, 2.1);
  EXPECT_EQ(stories.runs[1].changes[0].change.samples_after, 1500);
  EXPECT_EQ(stories.runs[1].changes[1].after, 1.9);
}

TEST(TraceStories, SeeAPruningThatNobodyWasHandedOver) {
  auto rows = small_tree();
  rows.resize(5);
  const TraceStories stories = tell_stories(rows);
  ASSERT_EQ(stories.runs[1].changes.size(), 1U);
  EXPECT_EQ(stories.runs[1].changes[0].after, 1.8);
  EXPECT_FALSE(stories.runs[1].changes[0].change.is_handed_over);
}

TEST(TraceStories, SeeAHandOverWithinAPlainRun) {
  auto rows = fresh_run("monday", {2, 1});
  rows.push_back(trace_row("monday", 1, 1.6, TraceEvent::Prune));
  rows.push_back(trace_row("monday", 1, 1.7, TraceEvent::HandOver));
  const RunStory story = tell_stories(rows).runs.at(0);
  ASSERT_EQ(story.changes.size(), 1U);
  EXPECT_EQ(story.changes[0].after, 1.7);
}

TEST(TraceStories, TakeRunsWithPlainNames) {
  const TraceStories stories = tell_stories(fresh_run("monday", {2, 1, 0.5}));
  ASSERT_EQ(stories.runs.size(), 1U);
  EXPECT_EQ(stories.runs[0].points.size(), 3U);
  EXPECT_EQ(stories.leftovers.cut_beginnings, 0U);
}

TEST(TraceStories, SeeAPruningInTheMiddleOfAPlainRun) {
  auto rows = fresh_run("monday", {2, 1});
  rows.push_back(trace_row("monday", 1, 1.6, TraceEvent::Prune));
  rows.push_back(trace_row("monday", 2, 0.9));
  const RunStory story = tell_stories(rows).runs.at(0);
  EXPECT_EQ(losses_of(story), (std::vector<double>{2, 1, 1.6, 0.9}));
  EXPECT_EQ(story.points.back().stage, 2U);
  EXPECT_EQ(story.changes.size(), 1U);
}

TEST(TraceStories, BeginAStageWhereConditionsChangeWithoutAnEvent) {
  auto rows = fresh_run("a", {2, 1, 1.5, 1.2});
  for (std::size_t i = 2; i < 4; ++i) rows[i].samples = 5000;
  EXPECT_EQ(tell_stories(rows).runs[0].points.back().stage, 2U);
}

TEST(TraceStories, LeaveOutLossesThatAreNoNumbersAndSayHowMany) {
  const TraceStories stories =
      tell_stories(fresh_run("a", {2, 1.6, kNan, 1.2, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(stories.leftovers.lost_losses, 2U);
  EXPECT_EQ(stories.leftovers.missing_epochs, 1U);
  const auto& points = stories.runs[0].points;
  ASSERT_EQ(points.size(), 4U);
  EXPECT_DOUBLE_EQ(points[2].loss, 1.4);
  EXPECT_TRUE(points[2].is_guess);
}

TEST(TraceStories, ForgetWhatIsBeforeALongGap) {
  const TraceStories stories =
      tell_stories({trace_row("a", 1, 2), trace_row("a", 1'000'000'000, 1)});
  EXPECT_EQ(losses_of(stories.runs[0]), std::vector<double>{1});
}

TEST(TraceStories, AreRefusedBeforeTheyFillTheMemory) {
  EXPECT_NO_THROW(tell_stories(small_tree(), {.most_points = 14}));
  EXPECT_THROW(tell_stories(small_tree(), {.most_points = 13}), Error);
}

TEST(TraceStories, SayWhoseBeginningIsMissing) {
  auto rows = small_tree();
  rows.erase(rows.begin(), rows.begin() + 4);
  const TraceStories stories = tell_stories(rows);
  EXPECT_EQ(stories.leftovers.cut_beginnings, 2U);
  EXPECT_EQ(stories.leftovers.lone_changes, 1U);
  EXPECT_TRUE(stories.runs[0].changes.empty());
}

}  // namespace
}  // namespace espalier
