// SPDX-License-Identifier: Apache-2.0
#include "page/plain_report.h"

#include <gtest/gtest.h>

#include "support/text.h"

namespace espalier {
namespace {

WatchedStory story_of_two_epochs() {
  RunHead head;
  head.name = "factory-1";
  head.scenario = "factory";
  head.strategy = "pact";
  head.source = "are modelled, as the scenario says";
  head.goal = {Loss{0.3}, Seconds{60}, 0.9};
  head.start_loss = Loss{2.5};
  head.nodes = {{"gold-1", "gold"}};
  WatchedStory story = first_story(head);
  const PlaceName gold{"L", "gold"};
  const PlaceName silver{"M", "silver"};
  tell(story, {1,
               {0},
               PlanNews{.verdict = Verdict::Optimal,
                        .changed = true,
                        .sentence = "1 epoch of L, then 1 of M",
                        .course = {{1, gold, {10}, {100}, {1}, {1}},
                                   {2, silver, {20}, {140}, {0.3}, {0.3}}}}});
  tell(story, {2, {11}, EpochNews{1, gold, {1.1}, {11}, {110}, Loss{1}, Joules{100}}});
  tell(story, {3,
               {22},
               EpochNews{.epoch = 2,
                         .place = silver,
                         .loss = {0.25},
                         .time = {22},
                         .energy = {151},
                         .planned_loss = Loss{0.3},
                         .planned_energy = Joules{140},
                         .provenance = Provenance::Measured,
                         .members = 3,
                         .reason = "less energy than staying"}});
  tell(story, {4, {22}, NodeNews{.name = "gold-1", .nodes = "gold", .state = WatchedState::Lost}});
  tell(story, {5, {22}, RemarkNews{"gold-1 is lost"}});
  tell(story, {6, {22}, EndNews{RunOutcome::Reached, "The goal is reached", false}});
  return story;
}

TEST(PlainReport, TellsGoalEndingFiguresEpochsSwitchesAndNodes) {
  const std::string page = plain_report(
      {.title = "factory-1", .made = "made today", .scenario_text = "espalier: 1\nname: factory"},
      story_of_two_epochs());
  for (const char* part :
       {"<h1>factory-1</h1>", "The goal is reached", "to a loss of 0.3 within 1 min",
        "planned at first 140.0 J", "planned at first 20 s", "151.0 J", "epochs, 1 with a switch",
        "M on silver", "less energy than staying", "gold-1 is lost", "1 epoch of L, then 1 of M",
        "espalier: 1\nname: factory\n", "made today", "measured", "modelled", "<svg"})
    EXPECT_TRUE(contains(page, part)) << part;
}

TEST(PlainReport, NamesCannotBecomeMarkup) {
  WatchedStory story = story_of_two_epochs();
  story.head.scenario = "<script>alert(1)</script>";
  story.epochs.back().reason = "<b>";
  const std::string page = plain_report({.title = "<i>", .scenario_text = "</pre><b>"}, story);
  for (const char* part : {"<script>", "<b>\"", "<i>", "</pre><b>"})
    EXPECT_FALSE(contains(page, part)) << part;
}

TEST(PlainReport, ARunThatHardlyBeganHasOneToo) {
  RunHead head;
  head.goal = {Loss{0.3}, Seconds{60}, 0.9};
  EXPECT_TRUE(contains(plain_report({.title = "factory-1"}, first_story(head)), "<h1>factory-1"));
}

}  // namespace
}  // namespace espalier
