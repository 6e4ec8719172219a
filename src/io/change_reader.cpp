// SPDX-License-Identifier: Apache-2.0
#include "io/change_reader.h"

#include <fmt/format.h>

#include "io/learn_reader.h"
#include "io/wording.h"

namespace espalier {
namespace {

constexpr Count kRows{0, 20'000};

void report_stay(const MapReader& row, Report& report) {
  report.error(row.field(), "goes from a place to itself", "remove it: staying costs nothing");
}

std::vector<ModelChangeSpec> read_model_changes(const Field& list, const Names& names,
                                                Report& report) {
  std::vector<ModelChangeSpec> changes;
  RowSet rows(report);
  for_each_item(list, kRows, report, [&](const Field& field) {
    const MapReader row(field, Shape::ModelChange, report);
    if (!row.is_map()) return;
    const auto from = read_model(row, "from", names, report);
    const auto to = read_model(row, "to", names, report);
    changes.push_back({from.value_or(ModelId{}),
                       to.value_or(ModelId{}),
                       {row.number("time")},
                       {row.number("energy")},
                       read_jump(row, report)});
    if (!from || !to) return;
    if (from == to) return report_stay(row, report);
    rows.add({from->index, to->index}, field);
  });
  return changes;
}

std::vector<NodeChangeSpec> read_node_changes(const Field& list, const Names& names,
                                              Report& report) {
  std::vector<NodeChangeSpec> changes;
  RowSet rows(report);
  for_each_item(list, kRows, report, [&](const Field& field) {
    const MapReader row(field, Shape::NodeChange, report);
    if (!row.is_map()) return;
    const auto from = read_node_set(row, "from", names, report);
    const auto to = read_node_set(row, "to", names, report);
    changes.push_back({from.value_or(NodeSetId{}),
                       to.value_or(NodeSetId{}),
                       {row.number("time")},
                       {row.number("energy")}});
    if (!from || !to) return;
    if (from == to) return report_stay(row, report);
    rows.add({from->index, to->index}, field);
  });
  return changes;
}

struct PairEnd {
  ModelId model;
  NodeSetId nodes;
  friend bool operator==(const PairEnd&, const PairEnd&) = default;
};

std::optional<PairEnd> read_pair_end(const MapReader& row, std::string_view key, const Names& names,
                                     Report& report) {
  const auto field = row.value(key);
  if (!field) return std::nullopt;
  const MapReader end(*field, Shape::PairEnd, report);
  const auto model = read_model(end, "model", names, report);
  const auto nodes = read_node_set(end, "nodes", names, report);
  return model && nodes ? std::optional(PairEnd{*model, *nodes}) : std::nullopt;
}

// A spread without a jump to spread is a slip.
void check_pair_jump(const MapReader& row, Report& report) {
  for (const std::string_view key : {"jump_noise", "jump_robust"}) {
    const DocumentNode* node = row.field().node->find(key);
    if (node == nullptr || row.has("jump") || row.is_misspelt("jump")) continue;
    report.error(node->mark, row.field().path_of(key), "has no jump that it goes with",
                 "add jump: 0.3, or remove it: without them the row takes those of change.models");
  }
}

std::vector<PairChangeSpec> read_pair_changes(const Field& list, const Names& names,
                                              Report& report) {
  std::vector<PairChangeSpec> changes;
  RowSet rows(report);
  for_each_item(list, kRows, report, [&](const Field& field) {
    const MapReader row(field, Shape::PairChange, report);
    if (!row.is_map()) return;
    const auto from = read_pair_end(row, "from", names, report);
    const auto to = read_pair_end(row, "to", names, report);
    const PairEnd a = from.value_or(PairEnd{});
    const PairEnd b = to.value_or(PairEnd{});
    const JumpSpec jump = read_jump(row, report);
    changes.push_back({a.model,
                       a.nodes,
                       b.model,
                       b.nodes,
                       {row.number("time")},
                       {row.number("energy")},
                       row.has("jump") ? std::optional(jump) : std::nullopt});
    check_pair_jump(row, report);
    if (!from || !to) return;
    if (a == b) return report_stay(row, report);
    rows.add({a.model.index, a.nodes.index, b.model.index, b.nodes.index}, field);
  });
  return changes;
}

std::vector<TrueRunSpec> read_true_runs(const Field& list, const Names& names, Report& report) {
  std::vector<TrueRunSpec> runs;
  RowSet rows(report);
  for_each_item(list, kRows, report, [&](const Field& field) {
    const MapReader row(field, Shape::TrueRun, report);
    if (!row.is_map()) return;
    const auto model = read_model(row, "model", names, report);
    const auto nodes = read_node_set(row, "nodes", names, report);
    const auto learn = row.value("learn");
    runs.push_back({model.value_or(ModelId{}), nodes.value_or(NodeSetId{}),
                    learn ? read_learn(*learn, report) : LearnSpec{}});
    if (learn && learn->node->find("robust") != nullptr) {
      report.error(learn->node->find("robust")->mark, learn->path + ".robust",
                   "is an estimate; the truth is one rule", "remove it");
    }
    if (model && nodes) rows.add({model->index, nodes->index}, field);
  });
  return runs;
}

std::vector<TrueJumpSpec> read_true_jumps(const Field& list, const Names& names, Report& report) {
  std::vector<TrueJumpSpec> jumps;
  RowSet rows(report);
  for_each_item(list, kRows, report, [&](const Field& field) {
    const MapReader row(field, Shape::TrueJump, report);
    if (!row.is_map()) return;
    const auto from = read_model(row, "from", names, report);
    const auto to = read_model(row, "to", names, report);
    jumps.push_back({from.value_or(ModelId{}), to.value_or(ModelId{}), read_jump(row, report)});
    if (from && to) rows.add({from->index, to->index}, field);
  });
  return jumps;
}

// `any`, which is also the default, is told from a list by having no value.
std::optional<std::vector<NodeChangeSpec>> read_node_part(const Field& nodes, const Names& names,
                                                          Report& report) {
  if (nodes.node->kind != DocumentNode::Kind::Scalar)
    return read_node_changes(nodes, names, report);
  if (nodes.node->text != "any") {
    report.error(nodes, fmt::format("is '{}'; it must be any, or a list", shown(nodes.node->text)),
                 "write nodes: any to allow every hand-over at no cost, or one row for each");
  }
  return std::nullopt;
}

}  // namespace

ChangeSpec read_change(const Field& field, const Names& names, Report& report) {
  const MapReader map(field, Shape::Change, report);
  ChangeSpec change;
  if (const auto models = map.value("models")) {
    change.models = read_model_changes(*models, names, report);
  }
  if (const auto nodes = map.value("nodes")) change.nodes = read_node_part(*nodes, names, report);
  if (const auto pairs = map.value("pairs")) {
    change.pairs = read_pair_changes(*pairs, names, report);
  }
  return change;
}

TruthSpec read_truth(const Field& field, const Names& names, Report& report) {
  const MapReader map(field, Shape::Truth, report);
  TruthSpec truth;
  if (const auto runs = map.value("run")) truth.runs = read_true_runs(*runs, names, report);
  if (const auto jumps = map.value("models")) truth.jumps = read_true_jumps(*jumps, names, report);
  return truth;
}

}  // namespace espalier
