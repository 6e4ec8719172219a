// SPDX-License-Identifier: Apache-2.0
#include "energy/jetson_rails.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "energy/folder_listing.h"
#include "energy/sensor_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr int kChannels = 3;  // of an INA3221; what follows are sums of them

// Nano and TX1: POM_5V_IN. TX2, Xavier NX, Orin Nano and Orin NX: VDD_IN.
constexpr std::array<std::string_view, 2> kWholeInput{"VDD_IN", "POM_5V_IN"};

struct FedRail {
  std::string_view rail;
  std::string_view by;
};

// AGX Orin has no rail of the whole input: its three inputs add up to it.
constexpr std::array kFedRails{FedRail{"VDDQ_VDD2_1V8AO", "VIN_SYS_5V0"}};

std::string label_in(const fs::path& file) {
  const auto text = read_sensor_text(file);
  const auto* label = std::get_if<std::string>(&text);
  return label == nullptr || *label == "NC" ? "" : *label;
}

void add_hwmon_rails(const fs::path& folder, std::vector<Probe>& rails) {
  for (int channel = 1; channel <= kChannels; ++channel) {
    const std::string number = std::to_string(channel);
    const std::string label = label_in(folder / ("in" + number + "_label"));
    if (label.empty()) continue;
    rails.push_back({.kind = ProbeKind::Rail,
                     .label = label,
                     .file = folder / ("in" + number + "_input"),
                     .current = folder / ("curr" + number + "_input")});
  }
}

void add_iio_rails(const fs::path& folder, std::vector<Probe>& rails) {
  for (int channel = 0; channel < kChannels; ++channel) {
    const std::string number = std::to_string(channel);
    const std::string label = label_in(folder / ("rail_name_" + number));
    if (label.empty()) continue;
    rails.push_back({.kind = ProbeKind::Power,
                     .label = label,
                     .file = folder / ("in_power" + number + "_input"),
                     .current = {},
                     .scale = 1e-3});
  }
}

void add_chip_rails(const fs::path& chip, std::vector<Probe>& rails) {
  for (const fs::path& folder : entries(chip / "hwmon", "hwmon")) add_hwmon_rails(folder, rails);
  for (const fs::path& folder : entries(chip, "iio:device")) add_iio_rails(folder, rails);
}

const Probe* find_rail(const std::vector<Probe>& rails, std::string_view label) {
  const auto at = std::find_if(rails.begin(), rails.end(),
                               [&](const Probe& rail) { return rail.label == label; });
  return at == rails.end() ? nullptr : &*at;
}

const Probe* whole_input(const std::vector<Probe>& rails) {
  for (const std::string_view label : kWholeInput) {
    if (const Probe* const rail = find_rail(rails, label)) return rail;
  }
  return nullptr;
}

// Why `rail` is in the sum already; empty if it is not.
std::string overlap(const Probe& rail, const std::vector<Probe>& rails) {
  for (const FedRail& fed : kFedRails) {
    if (fed.rail == rail.label && find_rail(rails, fed.by) != nullptr) {
      return std::string(fed.by) + " feeds it";
    }
  }
  return "";
}

}  // namespace

std::vector<Probe> find_jetson_rails(const fs::path& root) {
  std::vector<Probe> rails;
  std::set<fs::path> seen;
  for (const fs::path& driver : entries(root / "bus/i2c/drivers", "ina3221")) {
    for (const fs::path& chip : entries(driver)) {
      std::error_code error;
      if (seen.insert(fs::weakly_canonical(chip, error)).second) add_chip_rails(chip, rails);
    }
  }
  return rails;
}

RailChoice choose_rails(const std::vector<Probe>& rails) {
  RailChoice choice;
  const Probe* const input = whole_input(rails);
  for (const Probe& rail : rails) {
    std::string why = overlap(rail, rails);
    if (input != nullptr && &rail != input) why = input->label + " contains it";
    if (why.empty()) {
      choice.counted.push_back(rail);
    } else {
      choice.ignored.push_back({rail.label, why});
    }
  }
  return choice;
}

}  // namespace espalier
