// SPDX-License-Identifier: Apache-2.0
#include "energy/device_catalogue.h"

#include <algorithm>

#include "core/error.h"
#include "core/near_miss.h"
#include "energy/device_table.h"

namespace espalier {
namespace {

std::vector<Device> whole_table() {
  std::vector<Device> devices = table_of_gpus();
  for (const auto& part : {table_of_boards(), table_of_processors()}) {
    devices.insert(devices.end(), part.begin(), part.end());
  }
  return devices;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::span<const Device> device_catalogue() {
  static const std::vector<Device> devices = whole_table();
  return devices;
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Device& device : device_catalogue()) names.push_back(device.name);
  return names;
}

const Device& find_device(std::string_view name) {
  const auto devices = device_catalogue();
  const auto at = std::find_if(devices.begin(), devices.end(),
                               [&](const Device& device) { return device.name == name; });
  if (at != devices.end()) return *at;
  const std::vector<std::string> names = device_names();
  throw Error(
      ErrorCode::BadInput,
      "unknown device '" + std::string(name.substr(0, 64)) + "'" + did_you_mean(name, names),
      "known devices: " + joined(names));
}

}  // namespace espalier
