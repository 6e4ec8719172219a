// SPDX-License-Identifier: Apache-2.0
#include "io/node_set_reader.h"

namespace espalier {
namespace {

constexpr Count kNodeSets{1, 500};
constexpr Count kNodeSetsWithOptions{0, 500};
constexpr Count kOptions{1, 20};

LevelSpec read_level(const std::string& name, const Field& field, Report& report) {
  const MapReader map(field, Shape::Level, report);
  return {name, map.number("time"), map.number("energy")};
}

DataOptionSpec read_data_option(const std::string& name, const Field& field, Report& report) {
  const MapReader map(field, Shape::DataOption, report);
  return {.name = name,
          .time = map.number("time"),
          .energy = map.number("energy"),
          .rate = map.number("rate"),
          .floor_add = map.number("floor_add"),
          .once = {map.number("once")}};
}

// `levels` and `data` have the same form: node set → option → multipliers.
template <class Option>
std::vector<Option> read_options(const Field& options, Report& report,
                                 Option (*read)(const std::string&, const Field&, Report&)) {
  std::vector<Option> all;
  for_each_name(options, kOptions, report, [&](const Entry& entry, const Field& option) {
    all.push_back(read(entry.key, option, report));
  });
  return all;
}

}  // namespace

void read_node_set_names(const MapReader& top, NameTable& names, Report& report) {
  const auto nodes = top.value("nodes");
  if (!nodes) return;
  for_each_name(*nodes, kNodeSets, report, [&](const Entry& entry, const Field& node_set) {
    names.add(entry.key);
    const MapReader has_no_keys_yet(node_set, Shape::NodeSet, report);
  });
}

std::vector<NodeSetSpec> read_node_sets(const MapReader& top, const NameTable& names,
                                        Report& report) {
  std::vector<NodeSetSpec> sets;
  for (const std::string& name : names.names()) sets.push_back({name, {}, {}});
  const auto for_each_set = [&](std::string_view section, const auto& read) {
    const auto field = top.value(section);
    if (!field) return;
    for_each_name(*field, kNodeSetsWithOptions, report,
                  [&](const Entry& entry, const Field& options) {
                    NodeSetSpec unknown;
                    const auto position = names.find(entry, options.path, report);
                    read(position ? sets[static_cast<std::size_t>(*position)] : unknown, options);
                  });
  };
  for_each_set("levels", [&](NodeSetSpec& set, const Field& options) {
    set.levels = read_options(options, report, read_level);
  });
  for_each_set("data", [&](NodeSetSpec& set, const Field& options) {
    set.data_options = read_options(options, report, read_data_option);
  });
  return sets;
}

}  // namespace espalier
