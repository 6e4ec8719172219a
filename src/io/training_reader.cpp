// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "io/workload_reader.h"
#include "io/workload_words.h"

namespace espalier {
namespace {

constexpr Count kNodeSetsWithData{1, 500};
constexpr Count kAgents{1, 10'000};

bool is_of_dots(const std::string& name) {
  return name.find_first_not_of('.') == std::string::npos;
}

std::vector<std::string> read_agents(const Field& list, Report& report) {
  std::vector<std::string> agents;
  for_each_item(list, kAgents, report, [&](const Field& item) {
    const std::string name = read_text(item, "the name of a node", report).value_or("node");
    if (!is_name(name) || is_of_dots(name)) report.error(item, "is not a name", kNameHint);
    agents.push_back(name);
  });
  return agents;
}

// Nodes are known by their names alone.
void check_agents(const Field& section, const std::vector<NodeDataSpec>& all, Report& report) {
  std::set<std::string> names;
  std::size_t with = 0;
  for (const NodeDataSpec& data : all) {
    with += data.agents.empty() ? 0U : 1U;
    for (const std::string& name : data.agents) {
      if (!names.insert(name).second)
        report.error(section, fmt::format("names the agent '{}' twice", name),
                     "every node has a name of its own");
    }
  }
  if (with != 0 && with != all.size())
    report.error(section, "names the agents of some node sets, but not of all",
                 "name them all, or none: then 'espalier run' starts them itself");
}

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
  if (const auto agents = map.value("agents")) {
    data.agents = read_agents(*agents, report);
    const auto count = static_cast<int>(data.agents.size());
    if (map.has("members") && data.members != count)
      report.error(*agents, fmt::format("names {} nodes, but members is {}", count, data.members),
                   "leave members out");
    data.members = std::max(1, count);
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
  if (!report.has_errors()) check_agents(section, all, report);
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
