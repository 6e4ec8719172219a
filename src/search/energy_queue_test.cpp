// SPDX-License-Identifier: Apache-2.0
#include "search/energy_queue.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(EnergyQueue, GivesBackInOrder) {
  EnergyQueue queue;
  queue.reset(0, 10);
  std::uint32_t random = 1;
  double last = 0;
  for (std::int32_t i = 0; i < 2000; ++i) {
    random = random * 1664525U + 1013904223U;
    // Never below what was taken; some far beyond the range.
    queue.push({last + 1e-8 * random, i});
    if (i % 3 == 0) {
      const EnergyQueue::Entry entry = queue.pop();
      EXPECT_GE(entry.energy, last);
      last = entry.energy;
    }
  }
  while (!queue.empty()) {
    const EnergyQueue::Entry entry = queue.pop();
    EXPECT_GE(entry.energy, last);
    last = entry.energy;
  }
}

TEST(EnergyQueue, EqualEnergiesComeInOrderOfTheirLabels) {
  EnergyQueue queue;
  queue.reset(0, 1);
  for (const std::int32_t label : {2, 0, 1}) queue.push({0.5, label});
  for (const std::int32_t label : {0, 1, 2}) EXPECT_EQ(queue.pop().label, label);
}

TEST(EnergyQueue, ARangeWithoutEndIsOneHeap) {
  EnergyQueue queue;
  queue.reset(0, std::numeric_limits<double>::infinity());
  for (const double energy : {3.0, 1.0, 2.0}) queue.push({energy, 0});
  EXPECT_EQ(queue.pop().energy, 1);
  EXPECT_EQ(queue.pop().energy, 2);
  EXPECT_EQ(queue.pop().energy, 3);
}

}  // namespace
}  // namespace espalier
