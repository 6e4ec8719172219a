// SPDX-License-Identifier: Apache-2.0
#include "energy/sensor_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace espalier {
namespace {

template <class Value>
SensorFault fault_of(const Sensed<Value>& sensed) {
  const auto* fault = std::get_if<SensorFault>(&sensed);
  return fault == nullptr ? SensorFault{SensorTrouble::Missing, "no fault"} : *fault;
}

TEST(SensorFile, ReadsNumbers) {
  const TemporaryFolder folder;
  folder.write("count", "18446744073709551615\n");
  folder.write("level", "-12\n");
  EXPECT_EQ(std::get<uint64_t>(read_sensor_count(folder / "count")), ~uint64_t{0});
  EXPECT_EQ(std::get<int64_t>(read_sensor_level(folder / "level")), -12);
}

class SensorGarbage : public testing::TestWithParam<const char*> {};

TEST_P(SensorGarbage, IsNoCount) {
  const TemporaryFolder folder;
  folder.write("count", GetParam());
  const SensorFault fault = fault_of(read_sensor_count(folder / "count"));
  EXPECT_EQ(fault.trouble, SensorTrouble::Garbage);
  EXPECT_NE(fault.what.find((folder / "count").string()), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, SensorGarbage,
                         testing::Values("", "\n", "abc", "-1", "12 13", "1.5", "0x10", " 7",
                                         "18446744073709551616", "12\x01"));

TEST(SensorFile, TellsWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  folder.write("folder/inside", "1");
  EXPECT_EQ(fault_of(read_sensor_count(folder / "none")).trouble, SensorTrouble::Missing);
  EXPECT_EQ(fault_of(read_sensor_count(folder / "folder")).trouble, SensorTrouble::Unreadable);
}

TEST(SensorFile, DoesNotWaitForAFifo) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(fault_of(read_sensor_text(folder / "fifo")).trouble, SensorTrouble::Unreadable);
}

TEST(SensorFile, IsDeniedWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  folder.write("count", "1");
  ASSERT_EQ(::chmod((folder / "count").c_str(), 0), 0);
  EXPECT_EQ(fault_of(read_sensor_count(folder / "count")).trouble, SensorTrouble::Denied);
}

TEST(SensorFile, ReadsNoMoreThanAsked) {
  const TemporaryFolder folder;
  folder.write("long", std::string(100'000, 'x'));
  EXPECT_EQ(std::get<std::string>(read_sensor_text(folder / "long")).size(), 4096U);
  EXPECT_EQ(std::get<std::string>(read_sensor_text(folder / "long", 50'000)).size(), 50'000U);
}

TEST(SensorFile, DropsTheZeroByteOfTheDeviceTree) {
  const TemporaryFolder folder;
  folder.write("model", std::string("Raspberry Pi 4\0", 15));
  EXPECT_EQ(std::get<std::string>(read_sensor_text(folder / "model")), "Raspberry Pi 4");
}

}  // namespace
}  // namespace espalier
