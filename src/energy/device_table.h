// SPDX-License-Identifier: Apache-2.0
// The figures of the catalogue. Use through device_catalogue.h.
#pragma once

#include <vector>

#include "energy/device.h"

namespace espalier {

std::vector<Device> table_of_gpus();
std::vector<Device> table_of_boards();
std::vector<Device> table_of_processors();

}  // namespace espalier
