// SPDX-License-Identifier: Apache-2.0
#include "energy/local_device.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "energy/device_catalogue.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

class Local : public testing::Test {
 protected:
  void processors(int count, const std::string& line) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "processor\t: " + std::to_string(i) + "\n" + line + "\nbogomips\t: 4890.84\n\n";
    }
    proc.write("cpuinfo", text);
  }
  LocalDevice local() const { return find_local_device({.proc = proc.path()}); }

  TemporaryFolder proc;
};

TEST_F(Local, MatchesTheModelOfTheProcessor) {
  processors(12, "model name\t: Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz");
  const LocalDevice device = local();
  EXPECT_EQ(device.device.name, "core-i7-8700");
  EXPECT_EQ(device.device.tdp.value, 65);
  EXPECT_EQ(device.processors, 12);
  EXPECT_EQ(device.model, "Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz");
  EXPECT_NE(device.how.find("matched"), std::string::npos);
}

TEST_F(Local, TakesItsShareOfAProcessorThatIsShownInPart) {
  processors(32, "model name\t: AMD EPYC 7763 64-Core Processor");
  const LocalDevice device = local();
  EXPECT_EQ(device.device.tdp.value, 70);
  EXPECT_EQ(device.device.peak, find_device("epyc-7763").peak * 0.25);
  EXPECT_NE(device.how.find("32 threads where the processor has 128"), std::string::npos);
}

TEST_F(Local, CountsTwoSockets) {
  processors(256, "model name\t: AMD EPYC 7763 64-Core Processor");
  EXPECT_EQ(local().device.tdp.value, 560);
}

TEST_F(Local, DoesNotMistakeAModelForAnother) {
  for (const char* model : {"Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", "AMD EPYC",
                            "Intel(R) Xeon(R) Gold 6248R CPU @ 3.00GHz"}) {
    processors(2, std::string("model name\t: ") + model);
    const LocalDevice device = local();
    EXPECT_EQ(device.device.name, "generic-processor") << model;
    EXPECT_EQ(device.device.grounding, Grounding::Approximate);
    EXPECT_NE(device.how.find("is not in the catalogue: generic, 3.5 W for each of 2 threads"),
              std::string::npos)
        << device.how;
    EXPECT_DOUBLE_EQ(device.device.tdp.value, 7);
  }
}

TEST_F(Local, FindsBoardsInTheDeviceTree) {
  processors(4, "CPU implementer\t: 0x41");
  proc.write("device-tree/model", std::string("NVIDIA Jetson Nano Developer Kit\0", 33));
  EXPECT_EQ(local().device.name, "jetson-nano");
  proc.write("device-tree/model", "NVIDIA Jetson Xavier NX Developer Kit");
  const LocalDevice device = local();
  EXPECT_EQ(device.device.name, "jetson-xavier-nx");
  // Four of six cores: a low power mode does not make the board a smaller one.
  EXPECT_EQ(device.device.tdp.value, 20);
}

TEST_F(Local, FindsARaspberryPi) {
  processors(4, "CPU implementer\t: 0x41");
  proc.write("device-tree/model", "Raspberry Pi 3 Model B Plus Rev 1.3");
  EXPECT_EQ(local().device.name, "raspberry-pi-3b+");
  proc.write("device-tree/model", "Raspberry Pi 3 Model B Rev 1.2");
  EXPECT_EQ(local().device.name, "generic-arm-processor");
}

TEST_F(Local, GuessesWhereNothingCanBeRead) {
  const LocalDevice device = local();
  EXPECT_EQ(device.device.name, "generic-processor");
  EXPECT_GE(device.processors, 1);
  EXPECT_NE(device.how.find("does not tell its model"), std::string::npos);
}

TEST_F(Local, IsCalledLocal) {
  processors(12, "model name\t: Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz");
  const LocalDeviceOptions options{.proc = proc.path()};
  EXPECT_EQ(find_modelled_device("local", options).device.name, "core-i7-8700");
  const LocalDevice other = find_modelled_device("raspberry-pi-4", options);
  EXPECT_EQ(other.device.name, "raspberry-pi-4");
  EXPECT_EQ(other.processors, 12);
  EXPECT_THROW(find_modelled_device("raspbery-pi-4", options), Error);
}

}  // namespace
}  // namespace espalier
