// SPDX-License-Identifier: Apache-2.0
#include "energy/hwmon_sensors.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "energy/folder_listing.h"
#include "energy/jetson_rails.h"
#include "energy/sensor_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

struct KnownChip {
  std::string name;
  Coverage coverage = Coverage::Machine;
};

// Chips whose place in a machine is known.
std::vector<KnownChip> known_chips() {
  return {{"amd_energy", Coverage::Processors}, {"power_meter", Coverage::Machine}};
}

std::vector<KnownChip> trusted_chips(const HwmonOptions& options) {
  std::vector<KnownChip> chips;
  for (const std::string& name : options.trusted_chips) chips.push_back({name, Coverage::Machine});
  return chips;
}

// All channels of one chip that are of one kind.
struct Candidate {
  std::string chip;
  std::vector<Probe> probes;
  Coverage coverage = Coverage::Machine;
};

bool ends_with(const fs::path& path, std::string_view ending) {
  return path.filename().string().ends_with(ending);
}

// Older drivers, such as that of the ACPI power meter, keep their files with the device.
fs::path attributes_of(const fs::path& entry) {
  std::error_code error;
  return fs::exists(entry / "name", error) ? entry : entry / "device";
}

// "Esocket0" for energy17_input, from energy17_label; "energy17" if it has none.
std::string label_of(const fs::path& input) {
  const std::string name = input.filename().string();
  const std::string channel = name.substr(0, name.find('_'));
  const std::string label = sensor_text_or_empty(input.parent_path() / (channel + "_label"));
  return label.empty() ? channel : label;
}

std::vector<Probe> counters_of(const fs::path& folder, const std::string& chip) {
  std::vector<Probe> probes;
  for (const fs::path& path : entries(folder, "energy")) {
    if (!ends_with(path, "_input")) continue;
    probes.push_back({.kind = ProbeKind::EnergyCounter,
                      .label = chip + " " + label_of(path),
                      .file = path,
                      .current = {}});
  }
  return probes;
}

// A chip that averages by itself (power1_average) sees more than one that is asked now and then.
std::vector<Probe> powers_of(const fs::path& folder, const std::string& chip) {
  for (const std::string_view ending : {"_average", "_input"}) {
    std::vector<Probe> probes;
    for (const fs::path& path : entries(folder, "power")) {
      if (!ends_with(path, ending)) continue;
      probes.push_back({.kind = ProbeKind::Power,
                        .label = chip + " " + label_of(path),
                        .file = path,
                        .current = {}});
    }
    if (!probes.empty()) return probes;
  }
  return {};
}

// Sockets contain their cores.
void keep_sockets(std::vector<Probe>& probes, std::vector<IgnoredSensor>& ignored) {
  const auto is_core = [](const Probe& probe) {
    return probe.label.find(" Ecore") != std::string::npos;
  };
  const auto is_socket = [](const Probe& probe) {
    return probe.label.find(" Esocket") != std::string::npos;
  };
  if (std::none_of(probes.begin(), probes.end(), is_socket)) return;
  for (const Probe& probe : probes) {
    if (is_core(probe)) ignored.push_back({probe.label, "its socket contains it"});
  }
  probes.erase(std::remove_if(probes.begin(), probes.end(), is_core), probes.end());
}

// Sorts the chips of class/hwmon into those of a list, which can be used, and those to ignore.
class Survey {
 public:
  Survey(const fs::path& root, std::vector<KnownChip> chips) : chips_(std::move(chips)) {
    for (const fs::path& folder : entries(root / "class/hwmon", "hwmon")) look_at(folder);
  }
  std::vector<Candidate> counters;
  std::vector<Candidate> powers;
  std::vector<IgnoredSensor> ignored;

 private:
  void look_at(const fs::path& entry) {
    const fs::path folder = attributes_of(entry);
    const std::string chip = sensor_text_or_empty(folder / "name");
    std::vector<Probe> energy = counters_of(folder, chip);
    std::vector<Probe> power = powers_of(folder, chip);
    if (energy.empty() && power.empty()) return;
    const auto known = std::find_if(chips_.begin(), chips_.end(),
                                    [&](const KnownChip& other) { return other.name == chip; });
    if (known == chips_.end()) {
      ignored.push_back({entry.filename().string() + " (" + chip + ")",
                         "it is not known what it measures, nor what else contains it"});
      return;
    }
    keep_sockets(energy, ignored);
    if (!energy.empty()) counters.push_back({chip, std::move(energy), known->coverage});
    if (!power.empty()) powers.push_back({chip, std::move(power), known->coverage});
  }
  std::vector<KnownChip> chips_;
};

// The first candidate, and those of the same chip: two of a kind measure two sockets or two
// supplies. Others may overlap with it.
HwmonSensors sum_of_first(const std::vector<Candidate>& candidates,
                          std::vector<IgnoredSensor> ignored) {
  const Candidate& first = candidates.front();
  HwmonSensors sensors{.probes = {}, .coverage = first.coverage, .ignored = std::move(ignored)};
  for (const Candidate& candidate : candidates) {
    if (candidate.chip != first.chip) {
      sensors.ignored.push_back({candidate.chip, first.chip + " may contain it"});
      continue;
    }
    sensors.probes.insert(sensors.probes.end(), candidate.probes.begin(), candidate.probes.end());
  }
  return sensors;
}

std::optional<HwmonSensors> best_of(const Survey& survey) {
  if (!survey.counters.empty()) return sum_of_first(survey.counters, survey.ignored);
  if (!survey.powers.empty()) return sum_of_first(survey.powers, survey.ignored);
  return std::nullopt;
}

Unavailable no_sensors(const fs::path& root, const std::vector<IgnoredSensor>& ignored) {
  std::string seen;
  for (const IgnoredSensor& sensor : ignored) {
    seen += (seen.empty() ? " (" : "; ") + sensor.name + ": " + sensor.why;
  }
  if (!seen.empty()) seen += ")";
  return {
      (root / "class/hwmon").string() + ": no power or energy sensor whose place is known" + seen,
      ignored.empty() ? "" : "if such a chip measures this machine as a whole, name it as trusted"};
}

}  // namespace

std::variant<HwmonSensors, Unavailable> find_hwmon_sensors(const HwmonOptions& options) {
  const Survey trusted(options.root, trusted_chips(options));
  if (auto sensors = best_of(trusted)) return *std::move(sensors);
  RailChoice rails = choose_rails(find_jetson_rails(options.root));
  if (!rails.counted.empty()) {
    return HwmonSensors{std::move(rails.counted), Coverage::Machine, std::move(rails.ignored)};
  }
  const Survey known(options.root, known_chips());
  if (auto sensors = best_of(known)) return *std::move(sensors);
  return no_sensors(options.root, known.ignored);
}

}  // namespace espalier
