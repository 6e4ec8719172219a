// SPDX-License-Identifier: Apache-2.0
// What this machine computes on, as a device of the catalogue or as a guess.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "energy/device.h"

namespace espalier {

struct LocalDeviceOptions {
  // The root of procfs; another place in tests.
  std::filesystem::path proc = "/proc";
};

struct LocalDevice {
  Device device;       // powers and rates for the processors that this machine shows
  int processors = 1;  // logical ones, as Linux numbers them
  std::string how;     // "matched 'AMD EPYC 7763' in /proc/cpuinfo, 2 of its 128 threads"
  std::string model;   // what Linux calls it; empty: it does not tell
};

// A virtual machine that shows some of a processor's threads gets that share of its powers and
// rates, two sockets get twice as much. A processor that the catalogue does not know gets a generic
// figure for each of its threads. Never fails: what cannot be read is a guess, and `how` says so.
LocalDevice find_local_device(const LocalDeviceOptions& options = {});

// A device of the catalogue by its name, to be modelled by the load of this machine's processors,
// or this machine itself by the name "local". Throws Error{BadInput} with a suggestion if unknown.
LocalDevice find_modelled_device(std::string_view name, const LocalDeviceOptions& options = {});

}  // namespace espalier
