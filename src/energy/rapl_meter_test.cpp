// SPDX-License-Identifier: Apache-2.0
#include "energy/rapl_meter.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/clock.h"
#include "fakes/powercap.h"
#include "support/text.h"

namespace espalier {
namespace {

using fakes::FakeClock;
using fakes::FakePowercap;

// A tree and the time at which it is read.
class Rapl : public testing::Test {
 protected:
  Opened<RaplMeter> open() const { return open_rapl_meter({.root = tree.root()}, clock); }

  std::unique_ptr<RaplMeter> meter() const {
    auto opened = open();
    if (auto* meter = std::get_if<std::unique_ptr<RaplMeter>>(&opened)) return std::move(*meter);
    throw std::runtime_error(std::get<Unavailable>(opened).why);
  }
  Unavailable reason() const {
    const auto opened = open();
    const auto* reason = std::get_if<Unavailable>(&opened);
    return reason == nullptr ? Unavailable{"there is a meter", ""} : *reason;
  }
  std::string why_ignored(const RaplMeter& meter, const std::string& name) const {
    for (const IgnoredSensor& sensor : meter.ignored()) {
      if (sensor.name == name) return sensor.why;
    }
    return "";
  }
  void pass(double seconds) { clock.pass(Seconds{seconds}); }

  FakePowercap tree;
  FakeClock clock;
};

TEST_F(Rapl, CountsFromItsOpeningOn) {
  tree.add("intel-rapl:0", "package-0", 7'000'000);
  const auto rapl = meter();
  EXPECT_EQ(rapl->read().energy, Joules{});
  pass(1);
  tree.set("intel-rapl:0", 9'500'000);
  const EnergyReading reading = rapl->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 2.5);
  EXPECT_EQ(reading.provenance, Provenance::Measured);
  EXPECT_EQ(reading.source, "RAPL package-0");
}

TEST_F(Rapl, AddsUpPackagesAndTheirMemory) {
  tree.add("intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl:0:0", "dram", 0);
  tree.add("intel-rapl:1", "package-1", 0);
  tree.add("intel-rapl:1:0", "dram", 0);
  const auto rapl = meter();
  pass(1);
  tree.set("intel-rapl:0", 1'000'000);
  tree.set("intel-rapl:0:0", 2'000'000);
  tree.set("intel-rapl:1", 4'000'000);
  tree.set("intel-rapl:1:0", 8'000'000);
  const EnergyReading reading = rapl->read();
  EXPECT_DOUBLE_EQ(reading.energy.value, 15);
  EXPECT_EQ(reading.source, "RAPL package-0, package-0 dram, package-1, package-1 dram");
}

TEST_F(Rapl, IgnoresWhatThePackageContainsAndWhatContainsIt) {
  tree.add("intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl:0:0", "core", 0);
  tree.add("intel-rapl:0:1", "uncore", 0);
  tree.add("intel-rapl:1", "psys", 0);
  const auto rapl = meter();
  pass(1);
  tree.set("intel-rapl:0", 3'000'000);
  for (const char* zone : {"intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1"}) {
    tree.set(zone, 100'000'000);
  }
  EXPECT_DOUBLE_EQ(rapl->read().energy.value, 3);
  EXPECT_TRUE(contains(why_ignored(*rapl, "intel-rapl:0:0"), "part of its package"));
  EXPECT_TRUE(contains(why_ignored(*rapl, "intel-rapl:0:1"), "part of its package"));
  EXPECT_TRUE(contains(why_ignored(*rapl, "intel-rapl:1"), "contains the packages"));
}

TEST_F(Rapl, CountsAZoneOnceUnderAllItsPaths) {
  tree.add("devices/intel-rapl/intel-rapl:0", "package-0", 0);
  tree.add("devices/intel-rapl/intel-rapl:0/intel-rapl:0:0", "dram", 0);
  namespace fs = std::filesystem;
  fs::create_directory_symlink("devices/intel-rapl", tree.root() / "intel-rapl");
  fs::create_directory_symlink("devices/intel-rapl/intel-rapl:0", tree.root() / "intel-rapl:0");
  fs::create_directory_symlink("devices/intel-rapl/intel-rapl:0/intel-rapl:0:0",
                               tree.root() / "intel-rapl:0:0");
  // As in sysfs: every zone has a link back to where it was found from.
  fs::create_directory_symlink(tree.root(),
                               tree.root() / "devices/intel-rapl/intel-rapl:0/subsystem");
  const auto rapl = meter();
  pass(1);
  tree.set("devices/intel-rapl/intel-rapl:0", 5'000'000);
  tree.set("devices/intel-rapl/intel-rapl:0/intel-rapl:0:0", 1'000'000);
  EXPECT_DOUBLE_EQ(rapl->read().energy.value, 6);
}

TEST_F(Rapl, FindsZonesThatAreOnlyBelowTheirControlType) {
  tree.add("intel-rapl/intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl/intel-rapl:0/intel-rapl:0:0", "dram", 0);
  EXPECT_EQ(meter()->read().source, "RAPL package-0, package-0 dram");
}

TEST_F(Rapl, IgnoresThePackageSeenThroughMemoryMappedRegisters) {
  tree.add("intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl-mmio:0", "package-0", 0);
  const auto rapl = meter();
  pass(1);
  tree.set("intel-rapl:0", 5'000'000);
  tree.set("intel-rapl-mmio:0", 5'000'000);
  EXPECT_DOUBLE_EQ(rapl->read().energy.value, 5);
  EXPECT_TRUE(contains(why_ignored(*rapl, "intel-rapl-mmio:0"), "as intel-rapl:0 already"));
}

TEST_F(Rapl, UsesMemoryMappedRegistersWhereThereIsNothingElse) {
  tree.add("intel-rapl-mmio:0", "package-0", 0);
  EXPECT_EQ(meter()->read().source, "RAPL package-0");
}

TEST_F(Rapl, CountsDiesThatMirrorOneCounterOnce) {
  tree.add("intel-rapl:0", "package-0-die-0", 60'000'000'000);
  tree.add("intel-rapl:1", "package-0-die-1", 60'000'100'000);
  const auto rapl = meter();
  EXPECT_EQ(rapl->read().source, "RAPL package-0-die-0");
  EXPECT_TRUE(contains(why_ignored(*rapl, "package-0-die-1"), "the counter of package-0-die-0"));
}

TEST_F(Rapl, AddsUpDiesWithCountersOfTheirOwn) {
  tree.add("intel-rapl:0", "package-0-die-0", 60'000'000'000);
  tree.add("intel-rapl:1", "package-0-die-1", 71'000'000'000);
  tree.add("intel-rapl:2", "package-1-die-0", 60'000'000'000);
  EXPECT_EQ(meter()->read().source, "RAPL package-0-die-0, package-0-die-1, package-1-die-0");
}

TEST_F(Rapl, FollowsACounterThatWraps) {
  tree.add("intel-rapl:0", "package-0", FakePowercap::kRange - 1'000'000);
  const auto rapl = meter();
  pass(1);
  tree.set("intel-rapl:0", 2'000'000);
  EXPECT_DOUBLE_EQ(rapl->read().energy.value, 3);
  pass(1);
  tree.set("intel-rapl:0", 2'500'000);
  EXPECT_DOUBLE_EQ(rapl->read().energy.value, 3.5);
}

TEST_F(Rapl, TellsHowOftenItMustBeRead) {
  tree.add("intel-rapl:0", "package-0", 0);
  EXPECT_NEAR(meter()->longest_safe_interval()->value, 262.1, 0.1);
}

TEST_F(Rapl, WorksWithoutARangeUntilTheCounterFalls) {
  for (const char* range : {"0\n", "nonsense\n", ""}) {
    tree.add("intel-rapl:0", "package-0", 9'000'000);
    tree.folder().remove("intel-rapl:0/max_energy_range_uj");
    if (*range != '\0') tree.folder().write("intel-rapl:0/max_energy_range_uj", range);
    const auto rapl = meter();
    EXPECT_FALSE(rapl->longest_safe_interval());
    pass(1);
    tree.set("intel-rapl:0", 10'000'000);
    EXPECT_DOUBLE_EQ(rapl->read().energy.value, 1);
    tree.set("intel-rapl:0", 5);
    EXPECT_THROW(rapl->read(), Error);
  }
}

TEST_F(Rapl, FailsWhenACounterVanishesAndGoesOnWhenItComesBack) {
  tree.add("intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl:1", "package-1", 0);
  const auto rapl = meter();
  tree.folder().remove("intel-rapl:1");
  tree.set("intel-rapl:0", 1'000'000);
  pass(1);
  try {
    rapl->read();
    FAIL() << "a package is missing from the sum";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_TRUE(contains(error.what(), "intel-rapl:1"));
    EXPECT_NE(error.hint(), "");
  }
  tree.add("intel-rapl:1", "package-1", 2'000'000);
  EXPECT_DOUBLE_EQ(rapl->read().energy.value, 3);
}

TEST_F(Rapl, FailsWhenACounterTurnsIntoGarbage) {
  tree.add("intel-rapl:0", "package-0", 0);
  const auto rapl = meter();
  for (const char* garbage : {"", "n/a", "-5", "99999999999999999999999"}) {
    tree.folder().write("intel-rapl:0/energy_uj", garbage);
    EXPECT_THROW(rapl->read(), Error) << garbage;
  }
}

TEST_F(Rapl, FailsWhenTheCounterIsReset) {
  tree.add("intel-rapl:0", "package-0", 100'000'000);
  const auto rapl = meter();
  pass(1);
  tree.set("intel-rapl:0", 0);
  EXPECT_THROW(rapl->read(), Error);
  EXPECT_EQ(rapl->read().energy, Joules{});
}

TEST_F(Rapl, IsUnavailableIfAnyPackageCannotBeRead) {
  tree.add("intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl:1", "package-1", 0);
  tree.folder().remove("intel-rapl:1/energy_uj");
  std::filesystem::create_directory(tree.root() / "intel-rapl:1/energy_uj");
  EXPECT_TRUE(contains(reason().why, "intel-rapl:1/energy_uj: not a regular file"));
}

TEST_F(Rapl, SaysThatOnlyRootMayRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  tree.add("intel-rapl:0", "package-0", 0);
  ASSERT_EQ(::chmod((tree.root() / "intel-rapl:0/energy_uj").c_str(), 0), 0);
  EXPECT_TRUE(contains(reason().why, "Permission denied"));
  EXPECT_TRUE(contains(reason().hint, "root"));
}

TEST_F(Rapl, LeavesOutMemoryThatCannotBeReadAndDoesNotNameIt) {
  tree.add("intel-rapl:0", "package-0", 0);
  tree.add("intel-rapl:0:0", "dram", 0);
  tree.folder().write("intel-rapl:0:0/energy_uj", "no data");
  const auto rapl = meter();
  EXPECT_EQ(rapl->read().source, "RAPL package-0");
  EXPECT_TRUE(contains(why_ignored(*rapl, "intel-rapl:0:0"), "no data"));
}

TEST_F(Rapl, IsUnavailableWithoutATree) {
  const auto opened = open_rapl_meter({.root = tree.root() / "none"}, clock);
  const auto& reason = std::get<Unavailable>(opened);
  EXPECT_TRUE(contains(reason.why, "does not exist"));
  EXPECT_NE(reason.hint, "");
}

TEST_F(Rapl, IsUnavailableWithoutAPackage) {
  EXPECT_TRUE(contains(reason().why, "no processor package"));
  tree.add("intel-rapl:0", "psys", 0);
  tree.add("dtpm:0", "package-0", 0);
  EXPECT_TRUE(contains(reason().why, "intel-rapl:0: it is the whole platform"));
}

}  // namespace
}  // namespace espalier
