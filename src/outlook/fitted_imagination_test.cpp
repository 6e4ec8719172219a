// SPDX-License-Identifier: Apache-2.0
#include "outlook/fitted_imagination.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/random_estimators.h"
#include "support/factory.h"

namespace espalier {
namespace {

const LearningForecaster& some_forecaster() {
  static const LearningForecaster forecaster(support::random_run_network(1),
                                             support::random_change_network(2), {});
  return forecaster;
}

struct Setting {
  Scenario scenario = support::small_factory();
  Problem problem = Problem::estimated(scenario);
  FittedImagination imagination{some_forecaster(), conditions_of(scenario, problem), problem};
};

// Five epochs of L on gold, three of M on silver.
Plan some_course(const Problem& problem) {
  Plan course{problem.start(), {}};
  for (const double loss : {1.8, 1.6, 1.5, 1.4, 1.3}) course.steps.push_back({{0}, Loss{loss}});
  for (const double loss : {1.5, 1.4, 1.35}) course.steps.push_back({{4}, Loss{loss}});
  course.steps[5].arrival = Loss{1.7};
  return course;
}

TEST(FittedImagination, KnowsWhatTheRunWentThrough) {
  const Setting setting;
  const History history = setting.imagination.history_of(some_course(setting.problem));
  EXPECT_EQ(history.losses, (std::vector<double>{2, 1.8, 1.6, 1.5, 1.4, 1.3, 1.7, 1.5, 1.4, 1.35}));
  EXPECT_EQ(history.stage, 6);
  EXPECT_EQ(history.now, (Conditions{0.5, 5'000, 10}));
}

TEST(FittedImagination, GuessesAnArrivalThatNobodySaw) {
  const Setting setting;
  Plan course = some_course(setting.problem);
  course.steps[5].arrival.reset();
  const Pruning pruning{0, 0.5, {1.8, 1.6, 1.5, 1.4, 1.3}, true, 45'000, 5'000};
  EXPECT_DOUBLE_EQ(setting.imagination.history_of(course).losses[6],
                   some_forecaster().after(std::span(&pruning, 1)).front().mean);
}

TEST(FittedImagination, AnswersAreTheSameAskedTogetherOrOneByOne) {
  const Setting setting;
  const Plan course = some_course(setting.problem);
  const std::vector<Itinerary> itineraries{
      {{{4}, 20}}, {{{4}, 0}, {{8}, 30}}, {{{4}, 10}, {{8}, 0}}, {{{5}, 20}}};
  const auto together = setting.imagination.imagine(course, itineraries, 3);
  for (std::size_t i = 0; i < itineraries.size(); ++i) {
    const auto alone = setting.imagination.imagine(course, std::span(&itineraries[i], 1), 3);
    EXPECT_EQ(together[i].losses, alone[0].losses) << i;
    EXPECT_EQ(together[i].arrival, alone[0].arrival) << i;
    EXPECT_EQ(together[i].ways, alone[0].ways) << i;
    EXPECT_EQ(together[i].losses.size(), static_cast<std::size_t>(itineraries[i].back().epochs));
  }
}

TEST(FittedImagination, StayingAndMovingWithoutPruningKeepTheLoss) {
  const Setting setting;
  const Plan course = some_course(setting.problem);
  const std::vector<Itinerary> itineraries{{{{4}, 5}}, {{{5}, 5}}};
  for (const Imagined& imagined : setting.imagination.imagine(course, itineraries, 1)) {
    EXPECT_DOUBLE_EQ(imagined.arrival.mean, 1.35);
  }
}

TEST(ConditionsOf, SaysWhoseDataIsUnknown) {
  Scenario scenario = support::small_factory();
  scenario.training->nodes.pop_back();
  try {
    conditions_of(scenario, Problem::estimated(scenario));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'bronze'"), std::string::npos);
  }
}

}  // namespace
}  // namespace espalier
