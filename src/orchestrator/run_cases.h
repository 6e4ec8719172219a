// SPDX-License-Identifier: Apache-2.0
// For tests of the whole loop, with nodes that pretend.
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "support/temporary_folder.h"

namespace espalier {

inline bool trains_epoch(const RunState& state, int epoch) {
  return state.activity == Activity::Working && state.round.kind == RoundKind::Train &&
         state.epoch_number() == epoch;
}

inline std::function<bool(const RunState&)> training_of(int epoch) {
  return [epoch](const RunState& state) { return trains_epoch(state, epoch); };
}

inline bool trains(const Task& task) { return std::holds_alternative<TrainWork>(task.work); }

class RunTest : public testing::Test {
 protected:
  const TemporaryFolder folder{fakes::quick_folder()};
};

}  // namespace espalier
