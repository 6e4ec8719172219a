// SPDX-License-Identifier: Apache-2.0
// Small computers, as a whole: processor, memory and what else the board feeds.
// Jetson: the highest regular power mode of the module; the peak is 2 × CUDA cores × clock, as
// training runs on the GPU. Raspberry Pi: nobody states a power limit, so the powers are what
// reviewers measured at the plug under a stress test and at rest; the peak is cores × clock × the
// width of the vector unit.
#include "energy/device_table.h"

namespace espalier {
namespace {

constexpr double kGigabit = 125e6;

struct BoardRow {
  const char* name;
  double tdp;
  double idle;
  double peak_giga;
  double efficiency;
  int threads;
  Grounding grounding;
  const char* source;
  const char* known_as;  // empty if the device tree does not tell it apart
};

constexpr auto kSpecified = Grounding::Specified;
constexpr auto kApproximate = Grounding::Approximate;

constexpr BoardRow kJetsons[] = {
    {"jetson-nano", 10, 1.5, 236, 0.3, 4, kSpecified,
     "NVIDIA Jetson Nano data sheet: 128 cores, 921.6 MHz, 10 W mode", "Jetson Nano"},
    {"jetson-tx2", 15, 2.5, 666, 0.3, 6, kSpecified,
     "NVIDIA Jetson TX2 data sheet: 256 cores, 1.3 GHz, 15 W mode", "Jetson TX2"},
    {"jetson-xavier-nx", 20, 3.5, 845, 0.3, 6, kSpecified,
     "NVIDIA Jetson Xavier NX data sheet: 384 cores, 1.1 GHz, 20 W mode", "Xavier NX"},
    {"jetson-agx-xavier", 30, 6, 1410, 0.3, 8, kSpecified,
     "NVIDIA Jetson AGX Xavier data sheet: 512 cores, 1.377 GHz, 30 W mode", "AGX Xavier"},
    {"jetson-orin-nano", 15, 4, 1280, 0.3, 6, kSpecified,
     "NVIDIA Jetson Orin Nano 8 GB data sheet: 1024 cores, 625 MHz, 15 W mode", "Orin Nano"},
    {"jetson-orin-nx", 25, 5, 1880, 0.3, 8, kSpecified,
     "NVIDIA Jetson Orin NX 16 GB data sheet: 1024 cores, 918 MHz, 25 W mode", "Orin NX"},
    {"jetson-agx-orin", 60, 9, 5325, 0.3, 12, kSpecified,
     "NVIDIA Jetson AGX Orin 64 GB data sheet: 2048 cores, 1.3 GHz, 60 W", "AGX Orin"},
};

constexpr BoardRow kPis[] = {
    {"raspberry-pi-zero-2w", 2.9, 0.7, 32, 0.25, 4, kApproximate,
     "published measurements of the board; 4 × Cortex-A53, 1 GHz", "Raspberry Pi Zero 2 W"},
    {"raspberry-pi-3b+", 5.5, 1.9, 44.8, 0.25, 4, kApproximate,
     "published measurements of the board; 4 × Cortex-A53, 1.4 GHz", "Raspberry Pi 3 Model B Plus"},
    {"raspberry-pi-4", 6.4, 2.7, 48, 0.25, 4, kApproximate,
     "published measurements of the board; 4 × Cortex-A72, 1.5 GHz", "Raspberry Pi 4 Model B"},
    {"raspberry-pi-5", 8.8, 2.7, 153.6, 0.25, 4, kApproximate,
     "published measurements of the board; 4 × Cortex-A76, 2.4 GHz", "Raspberry Pi 5 Model B"},
    // The same board as raspberry-pi-4: who trains on its GPU has to say so.
    {"videocore-vi", 6.4, 2.7, 32, 0.1, 4, kApproximate,
     "the GPU of a Raspberry Pi 4: 8 QPUs × 4 lanes × 2, 500 MHz; power of the board as under CPU "
     "load, a guess",
     ""},
};

// What is soldered to the board; not what a USB adapter would add.
Uplink link_of(const std::string& name) {
  if (name == "jetson-agx-orin") return {"10 Gigabit Ethernet", {10 * kGigabit}};
  if (name == "raspberry-pi-3b+") return {"Gigabit Ethernet behind USB 2.0", {0.3 * kGigabit}};
  if (name == "raspberry-pi-zero-2w") return {"Wi-Fi 4, 2.4 GHz", {0.072 * kGigabit}};
  return {"Gigabit Ethernet", {kGigabit}};
}

Device device_of(const BoardRow& row) {
  Device device{.name = row.name,
                .kind = DeviceKind::Board,
                .tdp = {row.tdp},
                .idle = {row.idle},
                .peak = {row.peak_giga * 1e9},
                .efficiency = row.efficiency,
                .threads = row.threads,
                .link = link_of(row.name),
                .grounding = row.grounding,
                .source = row.source,
                .known_as = {}};
  if (*row.known_as != '\0') device.known_as.emplace_back(row.known_as);
  return device;
}

}  // namespace

std::vector<Device> table_of_boards() {
  std::vector<Device> devices;
  for (const BoardRow& row : kJetsons) devices.push_back(device_of(row));
  for (const BoardRow& row : kPis) devices.push_back(device_of(row));
  return devices;
}

}  // namespace espalier
