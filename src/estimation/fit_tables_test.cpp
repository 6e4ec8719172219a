// SPDX-License-Identifier: Apache-2.0
#include "estimation/fit_tables.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

const RunSequence kSwitched{{2.0, 1.5, 1.9, 1.4, 1.2, 1.1, 1.0, 0.9}, {0.5, 5000, 10}, 2};

TEST(FitTables, ACurveHasOneRowPerPlaceAndTargetsFromItsStageOn) {
  const RunTable table = run_table(kSwitched);
  ASSERT_EQ(table.losses.size(), 8U);
  const RunTable::Ahead none{};
  EXPECT_EQ(table.weights[0], none);
  EXPECT_EQ(table.weights[1], none);
  EXPECT_EQ(table.weights[2], (RunTable::Ahead{1, 1, 1, 1, 1}));
  EXPECT_EQ(table.weights[5], (RunTable::Ahead{1, 1, 0, 0, 0}));
  EXPECT_EQ(table.weights[7], none);
  EXPECT_FLOAT_EQ(table.targets[2][0], static_cast<float>((1.4 - 1.9) / loss_unit(1.9, 2.0)));
  EXPECT_FLOAT_EQ(table.targets[5][1], static_cast<float>((0.9 - 1.1) / loss_unit(1.1, 2.0)));
}

TEST(FitTables, InputsTellTheChangeOfTheLossAndThePlaceInTheStage) {
  const RunTable table = run_table(kSwitched);
  EXPECT_EQ(table.losses[0], (std::array<float, kLossInputs>{0, 0}));
  EXPECT_NEAR(table.losses[3][0], std::log(1.4 / 1.9), 1e-3);
  EXPECT_NEAR(table.losses[3][1], std::log(1.4 / 2.0), 1e-3);
  EXPECT_FLOAT_EQ(table.places[3][0], 0.5F);
  EXPECT_FLOAT_EQ(table.places[3][3], std::log(2.0F));  // one epoch since the change
  EXPECT_FLOAT_EQ(table.places[3][4], std::log(4.0F));
  EXPECT_FLOAT_EQ(table.places[3][5], table.losses[3][0]);
}

// What a network learned in one unit of loss holds in any other.
TEST(FitTables, NoUnitOfLossMatters) {
  RunSequence scaled = kSwitched;
  for (double& loss : scaled.losses) loss *= 4096;
  EXPECT_EQ(run_table(scaled).losses, run_table(kSwitched).losses);
  EXPECT_EQ(run_table(scaled).places, run_table(kSwitched).places);
  EXPECT_EQ(run_table(scaled).targets, run_table(kSwitched).targets);
}

TEST(FitTables, LossesOfZeroGiveFiniteNumbers) {
  for (const RunSequence& curve :
       {RunSequence{{1, 0, 0}, {}, 0}, RunSequence{{0, 1e9, 0}, {}, 0}}) {
    const RunTable table = run_table(curve);
    for (std::size_t place = 0; place < 3; ++place) {
      for (const float input : table.losses[place]) EXPECT_TRUE(std::isfinite(input));
      for (const float input : table.places[place]) EXPECT_TRUE(std::isfinite(input));
      for (const float target : table.targets[place]) EXPECT_TRUE(std::isfinite(target));
    }
  }
}

TEST(FitTables, OneDivergingCurveDoesNotOutweighAllOthers) {
  const RunTable table = run_table({{1, 1, 1e12}, {}, 0});
  EXPECT_FLOAT_EQ(table.targets[1][0], 10);
}

TEST(FitTables, AChangeIsTheLossAfterLessTheNewestBefore) {
  const ChangeExample example{{0, 0.5, {1.0, 0.9, 0.8, 0.7, 0.5}}, 1.25};
  const ChangeTable table = change_table(std::span(&example, 1));
  EXPECT_FLOAT_EQ(table.targets[0], 0.75F);
  EXPECT_FLOAT_EQ(table.inputs[0][2], 0.5F);
  EXPECT_FLOAT_EQ(table.inputs[0][4], 0.5F) << "the newest loss itself";
  EXPECT_FLOAT_EQ(table.inputs[0][5], std::log(2.0F));
}

TEST(FitTables, WhatIsNoLossIsRefused) {
  EXPECT_THROW(check_sequence({{1, -1}, {}, 0}), Error);
  EXPECT_THROW(check_sequence({{1, 1}, {}, 2}), Error);
  EXPECT_THROW(check_sequence({{}, {}, 0}), Error);
  EXPECT_THROW(check_example({{0, 0.5, {1, 1, 1, 1, 1}}, INFINITY}), Error);
  EXPECT_THROW(check_example({{0, NAN, {1, 1, 1, 1, 1}}, 1}), Error);
  EXPECT_NO_THROW(check_example({{0, 0.5, {1, 1, 1, 1, 1}}, 1}));
}

}  // namespace
}  // namespace espalier
