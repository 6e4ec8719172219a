// SPDX-License-Identifier: Apache-2.0
// Which sensors of the Linux hwmon tree tell what a machine or its processors use, each joule once.
//
// A board may measure its input, the rails behind it, and parts of those rails; nothing in the tree
// says what contains what. So only chips whose place is known are taken, of one kind at a time:
//   1. Chips that the options call trusted.
//   2. Jetson boards (ina3221): the rail of the whole input where there is one (VDD_IN, POM_5V_IN),
//      otherwise the sum of the rails, without those that another rail feeds.
//   3. amd_energy: counters of the sockets, not of the cores inside them.
//   4. power_meter: what ACPI tells of the whole machine.
// Of chips in the same place counters come before power sensors.
// The rest is ignored, with the reason.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "energy/availability.h"
#include "energy/quantities.h"

namespace espalier {

struct HwmonOptions {
  // The root of sysfs; another place in tests.
  std::filesystem::path root = "/sys";
  // Names of further chips (file `name`) that measure all of this machine and nothing else.
  std::vector<std::string> trusted_chips;
  // What no machine with such sensors draws. A counter that moves faster was reset.
  Watts most_power{10000};
};

// What a meter's joules are the joules of.
enum class Coverage { Processors, Machine };

enum class ProbeKind {
  EnergyCounter,  // µJ since some time
  Power,          // in units of `scale` watts
  Rail,           // mV and mA
};

struct Probe {
  ProbeKind kind = ProbeKind::Power;
  std::string label;              // "VDD_IN", "amd_energy Esocket0"
  std::filesystem::path file;     // the counter, the power or the voltage
  std::filesystem::path current;  // of a rail
  double scale = 1e-6;            // watts per unit, of a power
};

struct HwmonSensors {
  std::vector<Probe> probes;  // of one kind; never empty
  Coverage coverage = Coverage::Machine;
  std::vector<IgnoredSensor> ignored;
};

std::variant<HwmonSensors, Unavailable> find_hwmon_sensors(const HwmonOptions& options);

}  // namespace espalier
