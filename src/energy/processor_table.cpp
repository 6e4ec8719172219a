// SPDX-License-Identifier: Apache-2.0
// Processors of servers, desktops and laptops: the package, without memory and the rest of the
// machine. TDP, cores and base clock are the manufacturer's. The peak is cores × base clock ×
// operations per cycle: 32 with AVX2, 64 with two AVX-512 units; turbo raises it and AVX-512 clocks
// lower it. Idle powers are guesses of the right size, as they depend on the machine more than on
// the processor.
#include "energy/device_table.h"

namespace espalier {
namespace {

struct ProcessorRow {
  const char* name;
  double tdp;
  double idle;
  double peak_giga;
  int threads;
  const char* source;
  const char* known_as;
};

constexpr double kProcessorEfficiency = 0.4;

constexpr ProcessorRow kProcessors[] = {
    {"xeon-e5-2680-v4", 120, 20, 14 * 2.4 * 32, 28, "Intel Xeon E5-2680 v4 specification",
     "E5-2680 v4"},
    {"xeon-gold-6248", 150, 30, 20 * 2.5 * 64, 40, "Intel Xeon Gold 6248 specification",
     "Gold 6248"},
    {"xeon-platinum-8280", 205, 40, 28 * 2.7 * 64, 56, "Intel Xeon Platinum 8280 specification",
     "Platinum 8280"},
    {"xeon-platinum-8380", 270, 60, 40 * 2.3 * 64, 80, "Intel Xeon Platinum 8380 specification",
     "Platinum 8380"},
    {"xeon-platinum-8480+", 350, 80, 56 * 2.0 * 64, 112, "Intel Xeon Platinum 8480+ specification",
     "Platinum 8480+"},
    {"core-i7-8550u", 15, 2, 4 * 1.8 * 32, 8, "Intel Core i7-8550U specification", "i7-8550U"},
    {"core-i7-8700", 65, 8, 6 * 3.2 * 32, 12, "Intel Core i7-8700 specification", "i7-8700"},
    {"core-i7-12700k", 125, 10, 8 * 3.6 * 32 + 4 * 2.7 * 16, 20,
     "Intel Core i7-12700K specification", "i7-12700K"},
    {"core-i9-13900k", 125, 12, 8 * 3.0 * 32 + 16 * 2.2 * 16, 32,
     "Intel Core i9-13900K specification (base power)", "i9-13900K"},
    {"epyc-7302", 155, 50, 16 * 3.0 * 32, 32, "AMD EPYC 7302 specification", "EPYC 7302"},
    {"epyc-7742", 225, 65, 64 * 2.25 * 32, 128, "AMD EPYC 7742 specification", "EPYC 7742"},
    {"epyc-7763", 280, 75, 64 * 2.45 * 32, 128, "AMD EPYC 7763 specification", "EPYC 7763"},
    {"epyc-9654", 360, 90, 96 * 2.4 * 32, 192, "AMD EPYC 9654 specification", "EPYC 9654"},
    {"ryzen-5-3600", 65, 15, 6 * 3.6 * 32, 12, "AMD Ryzen 5 3600 specification", "Ryzen 5 3600"},
    {"ryzen-7-5800x", 105, 20, 8 * 3.8 * 32, 16, "AMD Ryzen 7 5800X specification",
     "Ryzen 7 5800X"},
    {"ryzen-9-5950x", 105, 25, 16 * 3.4 * 32, 32, "AMD Ryzen 9 5950X specification",
     "Ryzen 9 5950X"},
    {"ryzen-9-7950x", 170, 28, 16 * 4.5 * 32, 32, "AMD Ryzen 9 7950X specification",
     "Ryzen 9 7950X"},
};

Device device_of(const ProcessorRow& row) {
  return {.name = row.name,
          .kind = DeviceKind::Processor,
          .tdp = {row.tdp},
          .idle = {row.idle},
          .peak = {row.peak_giga * 1e9},
          .efficiency = kProcessorEfficiency,
          .threads = row.threads,
          .link = {"Gigabit Ethernet, assumed", {125e6}},
          .grounding = Grounding::Specified,
          .source = row.source,
          .known_as = {row.known_as}};
}

// Apple states neither power nor rates of its processors.
Device apple_m1() {
  return {.name = "apple-m1",
          .kind = DeviceKind::Processor,
          .tdp = {20},
          .idle = {1},
          .peak = {4 * 3.2e9 * 32 + 4 * 2.06e9 * 16},
          .efficiency = kProcessorEfficiency,
          .threads = 8,
          .link = {"Gigabit Ethernet, assumed", {125e6}},
          .grounding = Grounding::Approximate,
          .source = "published measurements of the package; CPU cores only, 3.2 and 2.06 GHz",
          .known_as = {"(M1"}};
}

}  // namespace

std::vector<Device> table_of_processors() {
  std::vector<Device> devices;
  for (const ProcessorRow& row : kProcessors) devices.push_back(device_of(row));
  devices.push_back(apple_m1());
  return devices;
}

}  // namespace espalier
