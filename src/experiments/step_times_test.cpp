// SPDX-License-Identifier: Apache-2.0
#include "experiments/step_times.h"

#include <gtest/gtest.h>

#include "experiments/segment_work.h"

namespace espalier {
namespace {

constexpr NodeSetId kGold{0};
constexpr NodeSetId kSilver{1};

Scenario factory() {
  Scenario scenario;
  scenario.models = {{"L", {}, 0}, {"M", ModelId{0}, 0.5}};
  scenario.node_sets = {{"gold", {}, {}}, {"silver", {}, {}}};
  TrainingSpec training;
  training.nodes = {{.nodes = kGold, .samples = 1000}, {.nodes = kSilver, .samples = 100}};
  scenario.training = training;
  return scenario;
}

TEST(StepTimes, AreUnknownAtFirst) {
  EXPECT_FALSE(StepTimes(factory()).epoch(kGold, 0).has_value());
}

TEST(StepTimes, BeginWithTheRunTable) {
  Scenario scenario = factory();
  scenario.runs = {{ModelId{0}, kGold, Seconds{10}, Joules{1}}};
  const StepTimes times(scenario);
  EXPECT_EQ(times.epoch(kGold, 0)->value, 10);
  EXPECT_DOUBLE_EQ(times.epoch(kSilver, 0.5)->value, 0.5) << "a tenth of the samples, half as wide";
}

TEST(StepTimes, BelieveWhatIsObservedRatherThanTheTable) {
  Scenario scenario = factory();
  scenario.runs = {{ModelId{0}, kGold, Seconds{10}, Joules{1}}};
  StepTimes times(scenario);
  times.add(kGold, 0, {3});
  times.add(kGold, 0, {5});
  EXPECT_EQ(times.epoch(kGold, 0)->value, 4);
  EXPECT_DOUBLE_EQ(times.epoch(kSilver, 0)->value, 0.4);
}

TraceRow epoch_of(const std::string& nodes, std::int64_t samples, double prune, double time) {
  TraceRow row{.nodes = nodes, .prune = prune, .time = Seconds{time}, .event = TraceEvent::Epoch};
  row.samples = samples;
  return row;
}

TEST(StepTimes, TakeMediansOfOtherTracesUntilThereAreOwnEpochs) {
  Scenario scenario = factory();
  scenario.training->nodes[0].members = 2;
  StepTimes times(scenario);
  const std::vector<TraceRow> traces{epoch_of("gold", 1000, 0, 3), epoch_of("gold", 1000, 0, 50),
                                     epoch_of("gold", 1000, 0, 4),
                                     epoch_of("silver", 7777, 0.5, 9)};
  ASSERT_TRUE(times.take_from(traces, scenario));
  EXPECT_EQ(times.source(), StepTimes::Source::OtherTraces);
  EXPECT_EQ(times.epoch(kGold, 0)->value, 8) << "4 s with two members at once";
  EXPECT_DOUBLE_EQ(times.epoch(kSilver, 0.5)->value, 0.4) << "other samples tell nothing";
  times.add(kGold, 0, {1});
  EXPECT_EQ(times.source(), StepTimes::Source::OwnEpochs);
  EXPECT_EQ(times.epoch(kGold, 0)->value, 2);
  EXPECT_FALSE(StepTimes(scenario).take_from(std::span(traces).last(1), scenario));
}

TEST(VersionName, IsThatOfTheModelWithThatRatio) {
  EXPECT_EQ(version_name(factory(), 0), "L");
  EXPECT_EQ(version_name(factory(), 1 - 0.5 * 1.0), "M");
  EXPECT_EQ(version_name(factory(), 0.625), "L-0.625");
}

}  // namespace
}  // namespace espalier
