// SPDX-License-Identifier: Apache-2.0
// A device as its data sheet describes it, and what work costs on it.
#pragma once

#include <string>
#include <vector>

#include "core/meter.h"
#include "energy/quantities.h"

namespace espalier {

enum class DeviceKind { Processor, Gpu, Board };

// How far power limit and peak rate can be trusted. Idle power and efficiency are never more than
// approximate: no data sheet has them.
enum class Grounding {
  Specified,    // the manufacturer's figures, or clock × width from them
  Approximate,  // others measured them, or we guess
};

// How a device is connected: a board by its network, a GPU by its bus.
struct Uplink {
  std::string name;  // "Gigabit Ethernet"
  ByteRate rate{};   // nominal, one way
};

struct Device {
  std::string name;  // "jetson-nano"
  DeviceKind kind = DeviceKind::Processor;
  Watts tdp{};              // under full load
  Watts idle{};             // switched on, doing nothing
  FlopRate peak{};          // single precision, without tensor cores
  double efficiency = 0.3;  // the share of the peak that training reaches; in (0, 1]
  int threads = 0;          // of its processor that Linux shows; 0 for a GPU on a card
  Uplink link{};
  Grounding grounding = Grounding::Specified;
  std::string source{};  // whose figures
  // What /proc/cpuinfo or the device tree calls it, as whole words; empty if it cannot be known
  // there.
  std::vector<std::string> known_as{};

  FlopRate sustained() const { return peak * efficiency; }
};

struct ModelledCost {
  Seconds time{};
  Joules energy{};
  Provenance provenance = Provenance::Modelled;
  std::string source;
};

// Time and energy of `work` on `device` under full load.
// Throws Error{BadInput} unless `work` is finite and ≥ 0.
ModelledCost cost_of(const Device& device, Flops work);

// At full load.
double joules_per_flop(const Device& device);

// idle + load × (TDP − idle); `load` is taken to be in [0, 1].
Watts power_at(const Device& device, double load);

}  // namespace espalier
