// SPDX-License-Identifier: Apache-2.0
#include "energy/local_device.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "energy/device_catalogue.h"
#include "energy/sensor_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// What Linux calls the machine, and how many processors it shows.
struct Description {
  std::string model;  // empty if it is not told
  fs::path file;      // that tells it
  int processors = 0;
  bool is_arm = false;
};

struct GenericThread {
  const char* kind;
  double tdp;
  double idle;
  double peak_giga;
};

// Between servers (2 W a thread) and desktops (4 W); AVX2 at 3 GHz, two threads a core.
constexpr GenericThread kGeneric{"generic-processor", 3.5, 0.8, 48};
// A core of a small board.
constexpr GenericThread kGenericArm{"generic-arm-processor", 1.5, 0.5, 12};

// /proc/cpuinfo has 1 to 2 KiB for each processor.
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

void read_line(std::string_view line, Description& description) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trimmed(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (key == "processor") ++description.processors;
  if (key == "CPU implementer") description.is_arm = true;
  if (key == "model name" || key == "Model") description.model = value;
}

Description read_cpuinfo(const fs::path& proc) {
  Description description{.model = {}, .file = proc / "cpuinfo"};
  const std::string text = sensor_text_or_empty(description.file, kMostBytes);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    read_line(rest.substr(0, end), description);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return description;
}

// Boards tell their name in the device tree, which says more than the name of their cores.
Description describe(const fs::path& proc) {
  Description description = read_cpuinfo(proc);
  if (const std::string board = sensor_text_or_empty(proc / "device-tree/model"); !board.empty()) {
    description.model = board;
    description.file = proc / "device-tree/model";
  }
  if (description.processors == 0) {
    description.processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  return description;
}

bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '+'; }

// As a whole word: "i7-8700" is not in "i7-8700K".
bool has_words(std::string_view text, std::string_view words) {
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const bool starts = at == 0 || !is_word_part(text[at - 1]) || !is_word_part(words.front());
    if (starts && (end == text.size() || !is_word_part(text[end]))) return true;
  }
  return false;
}

const Device* match(std::string_view model) {
  for (const Device& device : device_catalogue()) {
    const auto& names = device.known_as;
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return has_words(model, name); })) {
      return &device;
    }
  }
  return nullptr;
}

Device scaled(Device device, double share) {
  device.tdp = device.tdp * share;
  device.idle = device.idle * share;
  device.peak = device.peak * share;
  return device;
}

// A board is used as a whole: cores that are switched off do not make its GPU smaller.
LocalDevice matched(const Device& device, const Description& description) {
  const bool is_whole =
      device.kind == DeviceKind::Board || description.processors == device.threads;
  const double share = is_whole ? 1 : static_cast<double>(description.processors) / device.threads;
  std::string how = fmt::format("matched '{}' in {}", description.model, description.file.string());
  if (!is_whole) {
    how += fmt::format(", {} threads where the processor has {}", description.processors,
                       device.threads);
  }
  return {scaled(device, share), description.processors, how, description.model};
}

LocalDevice guessed(const Description& description) {
  const GenericThread& thread = description.is_arm ? kGenericArm : kGeneric;
  const Device one{.name = thread.kind,
                   .kind = DeviceKind::Processor,
                   .tdp = {thread.tdp},
                   .idle = {thread.idle},
                   .peak = {thread.peak_giga * 1e9},
                   .efficiency = 0.4,
                   .threads = description.processors,
                   .link = {"Gigabit Ethernet, assumed", {125e6}},
                   .grounding = Grounding::Approximate,
                   .source = "a generic figure for each thread",
                   .known_as = {}};
  const std::string seen = description.model.empty()
                               ? "the processor does not tell its model"
                               : "'" + description.model + "' is not in the catalogue";
  return {scaled(one, description.processors), description.processors,
          fmt::format("{}: generic, {} W for each of {} threads", seen, thread.tdp,
                      description.processors),
          description.model};
}

}  // namespace

LocalDevice find_local_device(const LocalDeviceOptions& options) {
  const Description description = describe(options.proc);
  const Device* const device = match(description.model);
  return device == nullptr ? guessed(description) : matched(*device, description);
}

LocalDevice find_modelled_device(std::string_view name, const LocalDeviceOptions& options) {
  LocalDevice local = find_local_device(options);
  if (name == "local") return local;
  local.device = find_device(name);
  local.how = "the device that was asked for";
  return local;
}

}  // namespace espalier
