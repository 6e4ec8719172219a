// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "onlooker/folder_shelf.h"
#include "support/temporary_folder.h"
#include "watching/run_story.h"

namespace espalier {
namespace {

using fakes::RunOfFakes;

WatchedStory told(RunFeed& feed) {
  WatchedStory story = first_story(feed.head());
  for (const RunNews& news : feed.after(0)) tell(story, news);
  return story;
}

class OnlookerTest : public testing::Test {
 protected:
  const TemporaryFolder folder{fakes::quick_folder()};
  RunOfFakes run{folder / "run-1"};
  FolderShelf shelf{folder.path(), [this](const RunDirectory&) {
                      return ReadableRun{run.setup(), "pact"};
                    }};
};

TEST_F(OnlookerTest, SeesARunAsItWas) {
  run.begin();
  ASSERT_TRUE(run.finish());
  const WatchedStory story = told(*shelf.open("run-1"));
  ASSERT_TRUE(story.end);
  EXPECT_EQ(story.end->outcome, RunOutcome::Reached);
  ASSERT_EQ(story.epochs.size(), run.state().epochs.size());
  for (std::size_t i = 0; i < story.epochs.size(); ++i) {
    const Step& step = run.state().epochs[i].step;
    EXPECT_EQ(story.epochs[i].loss, step.loss);
    EXPECT_EQ(story.epochs[i].time, step.time);
    EXPECT_EQ(story.epochs[i].energy, step.energy);
  }
  EXPECT_FALSE(story.plans.empty());
  EXPECT_FALSE(story.first_course.empty());
  for (const auto& [name, node] : story.nodes) EXPECT_EQ(node.state, WatchedState::Online) << name;
}

TEST_F(OnlookerTest, TellsTheReasonOfEverySwitch) {
  run.begin();
  ASSERT_TRUE(run.finish());
  const WatchedStory story = told(*shelf.open("run-1"));
  int switches = 0;
  for (std::size_t i = 1; i < story.epochs.size(); ++i) {
    const bool is_switch = story.epochs[i].place != story.epochs[i - 1].place;
    EXPECT_EQ(is_switch, !story.epochs[i].reason.empty()) << i;
    EXPECT_EQ(is_switch, story.epochs[i].reason.find("staying with ") != std::string::npos) << i;
    switches += is_switch ? 1 : 0;
  }
  EXPECT_GE(switches, 1);
}

TEST_F(OnlookerTest, SeesTheSameBitByBitAsAtOnce) {
  const auto bit_by_bit = [&] {
    const auto feed = shelf.open("run-1");
    std::vector<RunNews> all;
    for (int i = 0; i < 5000 && !run.state().end; ++i) {
      run.turn();
      for (RunNews& news : feed->after(static_cast<std::int64_t>(all.size())))
        all.push_back(std::move(news));
    }
    for (RunNews& news : feed->after(static_cast<std::int64_t>(all.size())))
      all.push_back(std::move(news));
    return all;
  };
  run.begin();
  const std::vector<RunNews> live = bit_by_bit();
  const std::vector<RunNews> later = shelf.open("run-1")->after(0);
  ASSERT_EQ(live.size(), later.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    EXPECT_EQ(live[i].id, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(later[i].id, live[i].id);
    EXPECT_EQ(later[i].what.index(), live[i].what.index());
  }
}

TEST_F(OnlookerTest, WaitsForTheRestOfALine) {
  run.begin();
  ASSERT_TRUE(run.finish());
  const std::string events = folder.read("run-1/events.jsonl");
  folder.write("run-1/events.jsonl", events.substr(0, events.size() / 2));
  const auto feed = shelf.open("run-1");
  const auto first = feed->after(0);
  EXPECT_FALSE(first.empty());
  folder.write("run-1/events.jsonl", events);
  const auto rest = feed->after(static_cast<std::int64_t>(first.size()));
  EXPECT_EQ(first.size() + rest.size(), shelf.open("run-1")->after(0).size());
}

TEST_F(OnlookerTest, SeesANodeFallSilentAndGo) {
  run.begin();
  ASSERT_TRUE(run.turn_until([](const RunState& state) { return state.epoch_number() == 1; }));
  run.nodes.begin()->second.is_dead = true;
  const auto& lost = run.nodes.begin()->second.name();
  ASSERT_TRUE(run.turn_until(
      [&](const RunState& state) { return state.nodes.at(lost).presence == Presence::Lost; }, {1}));
  const WatchedStory story = told(*shelf.open("run-1"));
  EXPECT_EQ(story.nodes.at(lost.value).state, WatchedState::Lost);
  EXPECT_FALSE(story.remarks.empty());
}

TEST_F(OnlookerTest, FindsRunsAndNothingElse) {
  run.begin();
  ASSERT_TRUE(run.finish());
  folder.write("notes.txt", "hello");
  folder.write("empty/other.txt", "hello");
  EXPECT_EQ(shelf.names(), std::vector<std::string>{"run-1"});
  for (const char* name : {"", ".", "..", "../run-1", "run-1/../run-1", "run-1/", "nobody"})
    EXPECT_EQ(shelf.open(name), nullptr) << name;
}

TEST(Onlooker, MindsNotThatThereIsNoFolder) {
  FolderShelf shelf("no-such-folder", [](const RunDirectory&) -> ReadableRun {
    throw Error(ErrorCode::Bug, "nobody should ask");
  });
  EXPECT_TRUE(shelf.names().empty());
}

}  // namespace
}  // namespace espalier
