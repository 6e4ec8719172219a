// SPDX-License-Identifier: Apache-2.0
#include "energy/device_catalogue.h"

#include <cctype>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

TEST(DeviceCatalogue, HoldsPlausibleFiguresOnly) {
  for (const Device& device : device_catalogue()) {
    SCOPED_TRACE(device.name);
    EXPECT_GT(device.idle.value, 0);
    EXPECT_LT(device.idle, device.tdp * 0.5);
    EXPECT_LT(device.tdp.value, 1500);
    EXPECT_GT(device.peak.value, 1e10);
    EXPECT_LT(device.peak.value, 1e14);
    EXPECT_GT(device.efficiency, 0);
    EXPECT_LE(device.efficiency, 1);
    EXPECT_GT(device.link.rate.value, 1e6);
    EXPECT_NE(device.link.name, "");
    EXPECT_NE(device.source, "");
    EXPECT_EQ(device.threads == 0, device.kind == DeviceKind::Gpu);
    // Between the best GPU of 2022 and the slowest board.
    EXPECT_GT(joules_per_flop(device), 5e-12);
    EXPECT_LT(joules_per_flop(device), 5e-9);
  }
}

TEST(DeviceCatalogue, NamesEachDeviceOnceInPlainLetters) {
  std::set<std::string> names;
  for (const std::string& name : device_names()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    for (const char c : name) {
      EXPECT_TRUE(std::islower(c) || std::isdigit(c) || c == '-' || c == '+') << name;
    }
  }
  EXPECT_GE(names.size(), 25U);
}

TEST(DeviceCatalogue, KnowsEachProcessorByOneName) {
  std::set<std::string> known;
  for (const Device& device : device_catalogue()) {
    for (const std::string& name : device.known_as) EXPECT_TRUE(known.insert(name).second) << name;
  }
}

TEST(DeviceCatalogue, SuggestsWhatWasMeant) {
  try {
    find_device("jetson-nona");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_STREQ(error.what(), "unknown device 'jetson-nona'; did you mean 'jetson-nano'?");
    EXPECT_NE(error.hint().find("raspberry-pi-4"), std::string::npos);
  }
}

TEST(Device, CostsTimeAndEnergyInProportionToItsWork) {
  const Device device{.name = "d", .tdp = {50}, .idle = {10}, .peak = {1e12}, .efficiency = 0.25};
  const ModelledCost cost = cost_of(device, {1e12});
  EXPECT_DOUBLE_EQ(cost.time.value, 4);
  EXPECT_DOUBLE_EQ(cost.energy.value, 200);
  EXPECT_EQ(cost.provenance, Provenance::Modelled);
  EXPECT_EQ(cost.source, "d: 50 W, 250 GFLOP/s of training");
  EXPECT_DOUBLE_EQ(joules_per_flop(device) * 1e12, 200);
  EXPECT_EQ(cost_of(device, {0}).energy, Joules{});
}

TEST(Device, RefusesWorkThatIsNoNumber) {
  const Device& device = find_device("t4");
  for (const double work :
       {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(cost_of(device, {work}), Error) << work;
  }
}

TEST(Device, DrawsBetweenIdleAndItsLimit) {
  const Device& device = find_device("t4");
  EXPECT_EQ(power_at(device, 0), device.idle);
  EXPECT_EQ(power_at(device, -3), device.idle);
  EXPECT_EQ(power_at(device, 7), device.tdp);
  EXPECT_DOUBLE_EQ(power_at(device, 0.5).value, 40);
}

}  // namespace
}  // namespace espalier
