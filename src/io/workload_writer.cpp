// SPDX-License-Identifier: Apache-2.0
#include "io/workload_writer.h"

#include <fmt/format.h>

#include "io/flow_map.h"
#include "io/workload_words.h"

namespace espalier {
namespace {

template <class Words, class Enum>
std::string_view word_of(const Words& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

template <class Numbers>
std::string list_text(const Numbers& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string node_data_text(const NodeDataSpec& data) {
  FlowMap map;
  map.add("samples", fmt::format("{}", data.samples))
      .add("classes", fmt::format("{}", data.classes))
      .add("members", fmt::format("{}", data.members))
      .add("split", word_of(kSplits, data.split));
  if (data.split == SampleSplit::Dirichlet) map.add("alpha", data.alpha);
  if (!data.device.empty()) map.add("device", word(data.device));
  if (!data.agents.empty()) {
    std::vector<std::string> names;
    for (const std::string& agent : data.agents) names.push_back(word(agent));
    map.add("agents", list_text(names));
  }
  return map.text();
}

std::string training_yaml(const TrainingSpec& training, const Scenario& scenario) {
  std::string text = "training:\n";
  for (const auto& [key, value] : training_settings(training)) {
    text += fmt::format("  {}: {}\n", key, key == "dataset" ? in_quotes(value) : value);
  }
  text += "  nodes:\n";
  for (const NodeDataSpec& data : training.nodes) {
    text += fmt::format("    {}: {}\n", word(scenario.node_sets[data.nodes.pos()].name),
                        node_data_text(data));
  }
  return text;
}

template <class T>
std::string lists_text(const std::vector<std::vector<T>>& lists) {
  std::vector<std::string> texts;
  for (const auto& list : lists) texts.push_back(list_text(list));
  return list_text(texts);
}

std::string sequences_text(const ExperimentGrid& collect, const Scenario& scenario) {
  std::vector<std::vector<std::string>> names;
  for (const auto& sequence : collect.sequences) {
    names.emplace_back();
    for (const NodeSetId id : sequence)
      names.back().push_back(word(scenario.node_sets[id.pos()].name));
  }
  return lists_text(names);
}

std::string also_text(const ExperimentGrid& grid, const Scenario& scenario) {
  std::string text = fmt::format("sequences: {}", sequences_text(grid, scenario));
  if (!grid.switch_epochs.empty())
    text += fmt::format(", switch_epochs: {}", lists_text(grid.switch_epochs));
  if (!grid.ratios.empty()) text += fmt::format(", ratios: {}", lists_text(grid.ratios));
  return "    - {" + text + "}\n";
}

std::string collect_yaml(const CollectSpec& collect, const Scenario& scenario) {
  std::string text = "collect:\n";
  text += fmt::format("  seeds: {}\n", list_text(collect.seeds));
  text += fmt::format("  sequences: {}\n", sequences_text(collect.grids().front(), scenario));
  if (!collect.switch_epochs.empty())
    text += fmt::format("  switch_epochs: {}\n", lists_text(collect.switch_epochs));
  if (!collect.ratios.empty()) text += fmt::format("  ratios: {}\n", lists_text(collect.ratios));
  text += fmt::format("  last_epochs: {}\n", collect.last_epochs);
  if (collect.last_loss > 0) text += fmt::format("  last_loss: {}\n", collect.last_loss);
  if (!collect.also.empty()) text += "  also:\n";
  for (const ExperimentGrid& grid : collect.also) text += also_text(grid, scenario);
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> training_settings(const TrainingSpec& training) {
  return {{"network", training.network},
          {"width", fmt::format("{}", training.width)},
          {"dataset", training.dataset},
          {"batch", fmt::format("{}", training.batch)},
          {"learning_rate", fmt::format("{}", training.learning_rate)},
          {"momentum", fmt::format("{}", training.momentum)},
          {"weight_decay", fmt::format("{}", training.weight_decay)},
          {"schedule", std::string(word_of(kSchedules, training.schedule))},
          {"jitter", fmt::format("{}", training.jitter)},
          {"local_epochs", fmt::format("{}", training.local_epochs)},
          {"criterion", std::string(word_of(kCriteria, training.criterion))},
          {"round_to", fmt::format("{}", training.round_to)},
          {"overlap", std::string(word_of(kOverlaps, training.overlap))}};
}

std::string workload_yaml(const Scenario& scenario) {
  std::string text;
  if (scenario.training) text += training_yaml(*scenario.training, scenario);
  if (scenario.collect) text += collect_yaml(*scenario.collect, scenario);
  return text;
}

}  // namespace espalier
