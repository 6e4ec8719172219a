// SPDX-License-Identifier: Apache-2.0
#include "io/scenario_reader.h"

#include <fmt/format.h>

#include "io/change_reader.h"
#include "io/learn_reader.h"
#include "io/model_reader.h"
#include "io/names.h"
#include "io/node_set_reader.h"
#include "io/wording.h"
#include "io/workload_reader.h"

namespace espalier {
namespace {

constexpr Count kRuns{1, 5'000};

bool is_our_version(const MapReader& top, Report& report) {
  const auto version = top.value("espalier");
  if (!version) return true;
  const DocumentNode& node = *version->node;
  const bool is_ours = node.kind == DocumentNode::Kind::Scalar && !node.quoted && node.text == "1";
  if (!is_ours) {
    report.error(*version, fmt::format("is '{}'; this program reads version 1", shown(node.text)),
                 "write espalier: 1");
  }
  return is_ours;
}

std::string read_name(const MapReader& top, Report& report) {
  const auto field = top.value("name");
  const auto name = field ? read_text(*field, "a name", report) : std::nullopt;
  if (!name) return {};
  if (!is_name(*name)) {
    report.error(*field, fmt::format("is '{}', which is not a name", shown(*name)), kNameHint);
  }
  return *name;
}

GoalSpec read_goal(const Field& field, Report& report) {
  const MapReader map(field, Shape::Goal, report);
  return {{map.number("loss")}, {map.number("deadline")}, map.number("probability")};
}

StartSpec read_start(const Field& field, const Names& names, Report& report) {
  const MapReader map(field, Shape::Start, report);
  return {read_model(map, "model", names, report).value_or(ModelId{}),
          read_node_set(map, "nodes", names, report).value_or(NodeSetId{}),
          {map.number("loss")}};
}

std::vector<RunSpec> read_runs(const Field& list, const Names& names, Report& report) {
  std::vector<RunSpec> runs;
  RowSet rows(report);
  for_each_item(list, kRuns, report, [&](const Field& field) {
    const MapReader row(field, Shape::Run, report);
    const auto model = read_model(row, "model", names, report);
    const auto nodes = read_node_set(row, "nodes", names, report);
    const Seconds time{row.number("time")};
    const Joules energy{row.number("energy")};
    const auto learn = row.value("learn");
    runs.push_back({model.value_or(ModelId{}), nodes.value_or(NodeSetId{}), time, energy,
                    learn ? read_learn(*learn, report) : LearnSpec{}});
    if (model && nodes) rows.add({model->index, nodes->index}, field);
  });
  return runs;
}

}  // namespace

Scenario read_scenario_tree(const DocumentNode& root, Report& report) {
  Scenario scenario;
  const MapReader top({&root, ""}, Shape::Top, report);
  if (!top.is_map() || !is_our_version(top, report)) return scenario;
  Names names;
  read_model_names(top, names.models, report);
  read_node_set_names(top, names.node_sets, report);
  scenario.name = read_name(top, report);
  if (const auto goal = top.value("goal")) scenario.goal = read_goal(*goal, report);
  if (const auto start = top.value("start")) scenario.start = read_start(*start, names, report);
  scenario.models = read_models(top, names, report);
  scenario.node_sets = read_node_sets(top, names.node_sets, report);
  if (!top.has("training")) top.require("run");
  if (const auto run = top.value("run")) scenario.runs = read_runs(*run, names, report);
  if (const auto field = top.value("change")) {
    ChangeSpec change = read_change(*field, names, report);
    scenario.model_changes = std::move(change.models);
    scenario.node_changes = std::move(change.nodes);
    scenario.pair_changes = std::move(change.pairs);
  }
  if (const auto truth = top.value("truth")) scenario.truth = read_truth(*truth, names, report);
  scenario.training = read_training(top, names, report);
  scenario.collect = read_collect(top, names, report);
  return scenario;
}

}  // namespace espalier
