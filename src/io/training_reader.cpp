// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "io/workload_reader.h"
#include "io/workload_words.h"

namespace espalier {
namespace {

constexpr Count kNodeSetsWithData{1, 500};

void check_node_data(const NodeDataSpec& data, const MapReader& map, Report& report) {
  const Field& field = map.field();
  if (map.has("alpha") && data.split != SampleSplit::Dirichlet) {
    report.error(*map.value("alpha"), "goes with split: dirichlet only",
                 "remove it, or write split: dirichlet");
  }
  if (data.samples > 0 && data.members > data.samples) {
    report.error(field,
                 fmt::format("has {} members, but only {} samples", data.members, data.samples),
                 "every member needs at least one sample");
  }
}

NodeDataSpec read_node_data(const Field& field, NodeSetId nodes, Report& report) {
  const MapReader map(field, Shape::NodeData, report);
  NodeDataSpec data{.nodes = nodes};
  data.samples = map.whole("samples");
  data.classes = static_cast<int>(map.whole("classes"));
  data.members = static_cast<int>(map.whole("members"));
  data.split = static_cast<SampleSplit>(map.choice("split"));
  data.alpha = map.number("alpha");
  if (const auto device = map.value("device")) {
    data.device = read_text(*device, "the name of a device", report).value_or("");
    if (!is_name(data.device)) report.error(*device, "is not a name", kNameHint);
  }
  check_node_data(data, map, report);
  return data;
}

void report_absent(const Field& section, const std::vector<NodeDataSpec>& all, const Names& names,
                   Report& report) {
  const auto& known = names.node_sets.names();
  for (std::size_t n = 0; n < known.size(); ++n) {
    const NodeSetId id{static_cast<std::int32_t>(n)};
    const bool is_there = std::any_of(all.begin(), all.end(),
                                      [&](const NodeDataSpec& data) { return data.nodes == id; });
    if (is_there) continue;
    report.error(
        section.node->mark, section.path_of(known[n]), "is missing",
        fmt::format("say what it learns from: {}: {{samples: 5000, classes: 10}}", known[n]));
  }
}

std::vector<NodeDataSpec> read_nodes(const Field& section, const Names& names, Report& report) {
  std::vector<NodeDataSpec> all;
  for_each_name(section, kNodeSetsWithData, report, [&](const Entry& entry, const Field& field) {
    const auto position = names.node_sets.find(entry, field.path, report);
    const NodeDataSpec data = read_node_data(field, {position.value_or(0)}, report);
    if (position) all.push_back(data);
  });
  if (!report.has_errors()) report_absent(section, all, names, report);
  std::sort(all.begin(), all.end(),
            [](const NodeDataSpec& a, const NodeDataSpec& b) { return a.nodes < b.nodes; });
  return all;
}

}  // namespace

std::optional<TrainingSpec> read_training(const MapReader& top, const Names& names,
                                          Report& report) {
  const auto section = top.value("training");
  if (!section) return std::nullopt;
  const MapReader map(*section, Shape::Training, report);
  TrainingSpec training;
  training.network = kNetworks[map.choice("network")];
  training.width = map.number("width");
  if (const auto dataset = map.value("dataset"))
    training.dataset = read_file_name(*dataset, "cifar10", report);
  training.batch = static_cast<int>(map.whole("batch"));
  training.learning_rate = map.number("learning_rate");
  training.momentum = map.number("momentum");
  training.weight_decay = map.number("weight_decay");
  training.schedule = static_cast<RateSchedule>(map.choice("schedule"));
  training.jitter = static_cast<int>(map.whole("jitter"));
  training.local_epochs = static_cast<int>(map.whole("local_epochs"));
  training.criterion = static_cast<PruningCriterion>(map.choice("criterion"));
  training.round_to = static_cast<int>(map.whole("round_to"));
  training.overlap = static_cast<SampleOverlap>(map.choice("overlap"));
  if (const auto nodes = map.value("nodes")) training.nodes = read_nodes(*nodes, names, report);
  return training;
}

}  // namespace espalier
