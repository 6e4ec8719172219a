// SPDX-License-Identifier: Apache-2.0
#include "experiments/setup.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/durable_write.h"
#include "io/text_file.h"
#include "io/wording.h"
#include "io/workload_words.h"
#include "io/workload_writer.h"

namespace espalier {
namespace {

constexpr std::size_t kLargestSetup = 1 << 20;

void add_nodes(Setup& setup, const std::string& name, const NodeDataSpec& data) {
  const std::string path = "nodes." + name + ".";
  setup[path + "samples"] = fmt::format("{}", data.samples);
  setup[path + "classes"] = fmt::format("{}", data.classes);
  setup[path + "members"] = fmt::format("{}", data.members);
  setup[path + "split"] = kSplits[static_cast<std::size_t>(data.split)];
  setup[path + "alpha"] = fmt::format("{}", data.alpha);
  setup[path + "device"] = data.device;
}

std::string text_of(const Setup& setup) {
  std::string text;
  for (const auto& [key, value] : setup) text += fmt::format("{} = {}\n", key, value);
  return text;
}

Setup parse_setup(std::string_view text) {
  Setup setup;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t at = line.find(" = ");
    if (at != std::string_view::npos) setup[std::string(line.substr(0, at))] = line.substr(at + 3);
  }
  return setup;
}

// Empty if the folder is new.
Setup setup_in(const TraceFolder& folder) {
  const auto file = folder.file("setup");
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) return {};
  const auto text = read_text_file(file, kLargestSetup);
  if (const auto* fault = std::get_if<FileFault>(&text))
    throw Error(ErrorCode::BadInput, file.string() + ": " + fault->what, fault->hint);
  return parse_setup(std::get<std::string>(text));
}

}  // namespace

Setup setup_of(const Scenario& scenario) {
  const TrainingSpec& training = *scenario.training;
  Setup setup;
  for (const auto& [key, value] : training_settings(training)) setup[key] = value;
  for (const NodeDataSpec& data : training.nodes)
    add_nodes(setup, scenario.node_sets[data.nodes.pos()].name, data);
  return setup;
}

void check_setup(const Setup& setup, const TraceFolder& folder) {
  const Setup before = setup_in(folder);
  for (const auto& [key, value] : setup) {
    const auto known = before.find(key);
    if (known == before.end() || known->second == value) continue;
    throw Error(ErrorCode::BadInput,
                fmt::format("'{}' holds experiments with training.{} {}; now it is {}",
                            folder.root().string(), key, shown(known->second), shown(value)),
                "collect into another --output, or change it back");
  }
}

void keep_setup(const Setup& setup, const TraceFolder& folder) {
  check_setup(setup, folder);
  Setup all = setup_in(folder);
  const Setup before = all;
  all.insert(setup.begin(), setup.end());
  if (all != before) write_durably(folder.file("setup"), text_of(all));
}

}  // namespace espalier
