// SPDX-License-Identifier: Apache-2.0
// Devices that people train on. docs/energy.md tells where the figures come from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "energy/device.h"

namespace espalier {

// Sorted by kind, then by maker. The same order always.
std::span<const Device> device_catalogue();

std::vector<std::string> device_names();

// Throws Error{BadInput} with a suggestion if there is none of that name.
const Device& find_device(std::string_view name);

}  // namespace espalier
