// SPDX-License-Identifier: Apache-2.0
#include "energy/rapl_zones.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "energy/rapl_mirrors.h"
#include "energy/sensor_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;
constexpr std::string_view kMemoryMapped = "intel-rapl-mmio";

// A folder of the tree, such as intel-rapl:0:1.
struct Folder {
  std::string id;
  fs::path path;
  std::string name;  // what its file `name` says: "package-0", "dram"
};

std::string control_type(std::string_view id) { return std::string(id.substr(0, id.find(':'))); }

std::string parent_of(std::string_view id) { return std::string(id.substr(0, id.rfind(':'))); }

bool is_processor_control(std::string_view type) {
  return type == "intel-rapl" || type == "amd-rapl" || type == kMemoryMapped;
}

bool is_package(std::string_view name) { return name.starts_with("package-"); }

// Collects the folders of processors, by id: the same folder is met under several paths, through
// links, and counts once. Only names of zones are followed, so that links cannot lead astray.
class Walk {
 public:
  void enter(const fs::path& folder, int depth) {
    if (depth > kDeepest) return;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      visit(at->path(), depth);
    }
  }
  std::map<std::string, fs::path> folders;

 private:
  void visit(const fs::path& path, int depth) {
    const std::string id = path.filename().string();
    std::error_code error;
    if (!is_processor_control(control_type(id)) || !fs::is_directory(path, error)) return;
    if (id.find(':') != std::string::npos && !is_new(id, path)) return;
    enter(path, depth + 1);
  }
  bool is_new(const std::string& id, const fs::path& path) {
    std::error_code error;
    const fs::path target = fs::weakly_canonical(path, error);
    return seen_.insert(error ? path : target).second && folders.emplace(id, path).second;
  }
  std::set<fs::path> seen_;
};

// Those of the memory-mapped interface last, so that they are the ones found to be duplicates.
std::vector<Folder> in_order(const std::map<std::string, fs::path>& paths) {
  std::vector<Folder> folders;
  for (const auto& [id, path] : paths) {
    const auto name = read_sensor_text(path / "name");
    const auto* text = std::get_if<std::string>(&name);
    folders.push_back({id, path, text == nullptr ? "" : *text});
  }
  std::stable_partition(folders.begin(), folders.end(), [](const Folder& folder) {
    return control_type(folder.id) != kMemoryMapped;
  });
  return folders;
}

// Why a domain that is neither package nor dram is not counted.
std::string why_not(const std::string& domain) {
  if (domain.empty()) return "it has no readable name";
  if (domain == "psys") return "it is the whole platform, and contains the packages";
  if (domain == "core" || domain == "uncore") return "it is a part of its package";
  return "'" + domain + "' is neither a package nor dram";
}

Unavailable unreadable(const SensorFault& fault) {
  if (fault.trouble != SensorTrouble::Denied) return {fault.what, ""};
  return {fault.what,
          "since 2020 Linux lets only root read energy counters: run as root, or let root do "
          "chmod a+r on the energy_uj files, by a udev rule to keep it after a restart"};
}

std::optional<uint64_t> read_range(const fs::path& folder) {
  const auto range = read_sensor_count(folder / "max_energy_range_uj");
  const auto* value = std::get_if<uint64_t>(&range);
  return value == nullptr || *value == 0 ? std::nullopt : std::optional(*value);
}

// Takes folder after folder and sorts it into counted or ignored.
class Selection {
 public:
  explicit Selection(const std::vector<Folder>& folders) {
    for (const Folder& folder : folders) names_[folder.id] = folder.name;
  }
  void take(const Folder& folder) {
    const bool is_dram = folder.name == "dram";
    if (!is_dram && !is_package(folder.name)) return ignore(folder, why_not(folder.name));
    const std::string name = is_dram ? dram_name(folder) : folder.name;
    if (const auto other = taken_.find(name); other != taken_.end()) {
      return ignore(folder, "it is " + name + " once more, as " + other->second + " already");
    }
    const fs::path counter = folder.path / "energy_uj";
    const auto count = read_sensor_count(counter);
    if (const auto* fault = std::get_if<SensorFault>(&count)) return fail(folder, *fault);
    taken_[name] = folder.id;
    zones.counted.push_back({name, counter, read_range(folder.path)});
  }
  RaplZones zones;
  std::optional<Unavailable> failure;  // the first package that cannot be read

 private:
  void ignore(const Folder& folder, std::string why) {
    zones.ignored.push_back({folder.id, std::move(why)});
  }
  void fail(const Folder& folder, const SensorFault& fault) {
    if (is_package(folder.name) && !failure) failure = unreadable(fault);
    ignore(folder, fault.what);
  }
  std::string dram_name(const Folder& folder) const {
    const auto parent = names_.find(parent_of(folder.id));
    return (parent == names_.end() ? parent_of(folder.id) : parent->second) + " dram";
  }
  std::map<std::string, std::string> names_;  // of folders, by id
  std::map<std::string, std::string> taken_;  // ids, by the name under which they count
};

std::string listed(const std::vector<IgnoredSensor>& ignored) {
  std::string text;
  for (const IgnoredSensor& sensor : ignored) {
    text += (text.empty() ? "" : "; ") + sensor.name + ": " + sensor.why;
  }
  return text;
}

Unavailable no_zones(const fs::path& root, const std::vector<IgnoredSensor>& ignored) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    return {
        root.string() + " does not exist",
        "virtual machines have no energy counters; on bare metal load the module intel_rapl_msr"};
  }
  const std::string seen = ignored.empty() ? "" : " (" + listed(ignored) + ")";
  return {root.string() + ": no processor package with an energy counter" + seen,
          "load the module intel_rapl_msr, which serves AMD processors as well"};
}

}  // namespace

std::variant<RaplZones, Unavailable> find_rapl_zones(const fs::path& root) {
  Walk walk;
  walk.enter(root, 0);
  const std::vector<Folder> folders = in_order(walk.folders);
  Selection selection(folders);
  for (const Folder& folder : folders) selection.take(folder);
  if (selection.failure) return *selection.failure;
  RaplZones zones = without_mirrors(std::move(selection.zones));
  const bool has_package = std::any_of(zones.counted.begin(), zones.counted.end(),
                                       [](const RaplZone& zone) { return is_package(zone.name); });
  if (!has_package) return no_zones(root, zones.ignored);
  return zones;
}

}  // namespace espalier
