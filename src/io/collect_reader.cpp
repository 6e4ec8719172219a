// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "io/workload_reader.h"

namespace espalier {
namespace {

constexpr Count kSeeds{1, 1'000};
constexpr Count kSequences{1, 100};
constexpr Count kSequence{1, 8};
constexpr Count kValues{1, 100};
constexpr Count kHandOvers{1, 7};
constexpr Count kGrids{0, 100};
constexpr double kMostExperiments = 100'000;

const KeySchema& collect_key(std::string_view key) { return *schema_of(Shape::Collect).find(key); }

// The numbers of one list, each once.
std::vector<double> read_values(const Field& list, const KeySchema& key, Count count,
                                Report& report) {
  std::vector<double> values;
  for_each_item(list, count, report, [&](const Field& item) {
    const auto value = read_number(item, key, report);
    if (!value) return;
    if (std::find(values.begin(), values.end(), *value) != values.end()) {
      report.error(item, fmt::format("repeats {}", *value), "keep one of them");
    }
    values.push_back(*value);
  });
  return values;
}

bool has_lists(const Field& field) {
  const auto& items = field.node->items;
  return !items.empty() && items.front().kind == DocumentNode::Kind::List;
}

// Either one list for all hand-overs, or a list of them.
std::vector<std::vector<double>> read_by_hand_over(const Field& field, const KeySchema& key,
                                                   Report& report) {
  if (!has_lists(field)) return {read_values(field, key, kValues, report)};
  std::vector<std::vector<double>> all;
  for_each_item(field, kHandOvers, report,
                [&](const Field& list) { all.push_back(read_values(list, key, kValues, report)); });
  return all;
}

template <class T>
std::vector<T> converted(const std::vector<double>& values) {
  std::vector<T> out;
  for (const double value : values) out.push_back(static_cast<T>(value));
  return out;
}

std::vector<NodeSetId> read_sequence(const Field& field, const Names& names, Report& report) {
  std::vector<NodeSetId> sequence;
  for_each_item(field, kSequence, report, [&](const Field& item) {
    const auto position = names.node_sets.find(item, report);
    sequence.push_back({position.value_or(0)});
  });
  return sequence;
}

std::vector<std::vector<NodeSetId>> read_sequences(const Field& field, const Names& names,
                                                   Report& report) {
  std::vector<std::vector<NodeSetId>> all;
  for_each_item(field, kSequences, report, [&](const Field& item) {
    auto sequence = read_sequence(item, names, report);
    const bool is_known = std::find(all.begin(), all.end(), sequence) != all.end();
    if (is_known && !report.has_errors())
      report.error(item, "repeats an earlier sequence", "keep one of them");
    all.push_back(std::move(sequence));
  });
  return all;
}

template <class T>
double count_at(const std::vector<std::vector<T>>& lists, std::size_t hand_over) {
  return static_cast<double>(lists[std::min(hand_over, lists.size() - 1)].size());
}

double count_experiments(const ExperimentGrid& grid) {
  double total = 0;
  for (const auto& sequence : grid.sequences) {
    double combinations = 1;
    for (std::size_t i = 0; i + 1 < sequence.size(); ++i)
      combinations *= count_at(grid.switch_epochs, i) * count_at(grid.ratios, i);
    total += combinations;
  }
  return total;
}

double count_experiments(const CollectSpec& collect) {
  double total = 0;
  for (const ExperimentGrid& grid : collect.grids()) total += count_experiments(grid);
  return total * static_cast<double>(collect.seeds.size());
}

bool hands_over(const ExperimentGrid& grid) {
  return std::any_of(grid.sequences.begin(), grid.sequences.end(),
                     [](const auto& sequence) { return sequence.size() > 1; });
}

void check_size(const CollectSpec& collect, const Field& section, Report& report) {
  const double count = count_experiments(collect);
  if (count <= kMostExperiments) return;
  report.error(section,
               fmt::format("asks for {:.0f} experiments; at most {:.0f} are allowed", count,
                           kMostExperiments),
               "list fewer seeds, switch_epochs, ratios or sequences");
}

ExperimentGrid read_grid(const MapReader& map, const Names& names, Report& report) {
  ExperimentGrid grid;
  if (const auto sequences = map.value("sequences"))
    grid.sequences = read_sequences(*sequences, names, report);
  if (const auto epochs = map.value("switch_epochs")) {
    for (const auto& list : read_by_hand_over(*epochs, collect_key("switch_epochs"), report))
      grid.switch_epochs.push_back(converted<int>(list));
  }
  if (const auto ratios = map.value("ratios"))
    grid.ratios = read_by_hand_over(*ratios, collect_key("ratios"), report);
  if (hands_over(grid)) {
    map.require("switch_epochs");
    map.require("ratios");
  }
  return grid;
}

std::vector<ExperimentGrid> read_grids(const Field& list, const Names& names, Report& report) {
  std::vector<ExperimentGrid> grids;
  for_each_item(list, kGrids, report, [&](const Field& item) {
    const MapReader map(item, Shape::CollectAlso, report);
    if (map.is_map()) grids.push_back(read_grid(map, names, report));
  });
  return grids;
}

}  // namespace

std::optional<CollectSpec> read_collect(const MapReader& top, const Names& names, Report& report) {
  const auto section = top.value("collect");
  if (!section) return std::nullopt;
  if (!top.has("training") && !top.is_misspelt("training")) {
    report.error(*section, "needs a training section, which is not there",
                 "say what is trained: training: {network: vgg11, dataset: cifar10, nodes: …}");
  }
  const MapReader map(*section, Shape::Collect, report);
  CollectSpec collect;
  if (const auto seeds = map.value("seeds"))
    collect.seeds =
        converted<std::uint64_t>(read_values(*seeds, collect_key("seeds"), kSeeds, report));
  ExperimentGrid grid = read_grid(map, names, report);
  collect.sequences = std::move(grid.sequences);
  collect.switch_epochs = std::move(grid.switch_epochs);
  collect.ratios = std::move(grid.ratios);
  collect.last_epochs = static_cast<int>(map.whole("last_epochs"));
  collect.last_loss = map.number("last_loss");
  if (const auto also = map.value("also")) collect.also = read_grids(*also, names, report);
  if (!report.has_errors()) check_size(collect, *section, report);
  return collect;
}

}  // namespace espalier
