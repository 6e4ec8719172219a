// SPDX-License-Identifier: Apache-2.0
#include "node/crew_energy.h"

#include <vector>

#include <gtest/gtest.h>

namespace espalier {
namespace {

EnergyPart counted(const std::string& machine, double joules) {
  return {machine, {{joules}, Provenance::Measured, "RAPL package-0"}};
}

EnergyPart modelled(const std::string& machine, double joules) {
  return {machine, {{joules}, Provenance::Modelled, "15 W × load"}};
}

EnergyReading sum_of(const EnergyPart& own, const std::vector<EnergyPart>& others) {
  return energy_of_all(own, others, 1 + static_cast<int>(others.size()));
}

TEST(CrewEnergy, AddsWhatEachProcessCauses) {
  const EnergyReading sum = sum_of(modelled("a", 1), {modelled("a", 2), modelled("b", 4)});
  EXPECT_EQ(sum.energy.value, 7);
  EXPECT_EQ(sum.provenance, Provenance::Modelled);
  EXPECT_EQ(sum.source, "15 W × load; 3 processes on 2 machines");
}

TEST(CrewEnergy, CountsTheCounterOfAMachineOnce) {
  const EnergyReading sum = sum_of(counted("a", 10), {counted("a", 9), counted("b", 20)});
  EXPECT_EQ(sum.energy.value, 30);
  EXPECT_EQ(sum.provenance, Provenance::Measured);
  EXPECT_EQ(sum.source, "RAPL package-0; 3 processes on 2 machines");
}

TEST(CrewEnergy, AddsNoModelToACounterOfTheSameMachine) {
  for (const auto& [own, other] : {std::pair{counted("a", 10), modelled("a", 3)},
                                   std::pair{modelled("a", 3), counted("a", 10)}}) {
    EXPECT_EQ(sum_of(own, {other}).energy.value, 10);
    EXPECT_EQ(sum_of(own, {other}).provenance, Provenance::Measured);
  }
}

TEST(CrewEnergy, IsAsTrustworthyAsItsWeakestPart) {
  const EnergyReading sum = sum_of(counted("a", 10), {modelled("b", 3)});
  EXPECT_EQ(sum.energy.value, 13);
  EXPECT_EQ(sum.provenance, Provenance::Modelled);
  EXPECT_EQ(sum.source, "15 W × load; 2 processes on 2 machines");
}

TEST(CrewEnergy, SaysHowManyDidNotTell) {
  const EnergyReading sum = energy_of_all(modelled("a", 1), {}, 2);
  EXPECT_EQ(sum.energy.value, 1);
  EXPECT_EQ(sum.source, "15 W × load; 1 of 2 processes");
}

TEST(CrewEnergy, OfOneProcessIsItsOwn) {
  EXPECT_EQ(energy_of_all(counted("a", 1), {}, 1).source, "RAPL package-0");
}

TEST(CrewEnergy, IsToldInWords) {
  const auto part = energy_part_in(text_of(counted("a", 0.1)));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->machine, "a");
  EXPECT_EQ(part->reading.energy.value, 0.1);
  EXPECT_EQ(part->reading.provenance, Provenance::Measured);
  EXPECT_EQ(part->reading.source, "RAPL package-0");
}

TEST(CrewEnergy, IsNotWhatMakesNoSense) {
  for (const char* bad : {"", "a", "a\n1", "a\n1\nguessed\nx", "a\n-1\nmeasured\nx",
                          "a\nnan\nmeasured\nx", "a\n1x\nmeasured\nx", "\n1\nmeasured\nx"})
    EXPECT_FALSE(energy_part_in(bad)) << bad;
}

}  // namespace
}  // namespace espalier
