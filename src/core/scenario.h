// SPDX-License-Identifier: Apache-2.0
// A scenario as its file says it: names, models, node sets, costs, learning. Plain values, already
// validated.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/learning_rule.h"
#include "core/units.h"
#include "core/workload.h"

namespace espalier {

struct GoalSpec {
  Loss loss{};
  Seconds deadline{};
  double probability = 0.95;
};

struct StartSpec {
  ModelId model{};
  NodeSetId nodes{};
  Loss loss{};
};

struct ModelSpec {
  std::string name;
  std::optional<ModelId> from;
  double prune = 0;  // share of the full DNN's channels that is gone
};

// A resource level of a node set: multipliers on the time and energy of an epoch.
struct LevelSpec {
  std::string name;
  double time = 1;
  double energy = 1;
};

// What part of its data a node set learns from: multipliers, and an energy paid once if it is used
// at all.
struct DataOptionSpec {
  std::string name;
  double time = 1;
  double energy = 1;
  double rate = 1;
  double floor_add = 0;
  Joules once{};
};

struct NodeSetSpec {
  std::string name;
  std::vector<LevelSpec> levels;             // empty: one nameless level
  std::vector<DataOptionSpec> data_options;  // empty: one nameless option
};

// Spread of the decrease of the loss: one factor for the whole run, one for each epoch.
struct NoiseSpec {
  double run = 0;
  double epoch = 0;
  friend bool operator==(const NoiseSpec&, const NoiseSpec&) = default;
};

// A rule kept in a file of its own: collected traces, or an estimator fitted to them.
struct RuleFile {
  enum class Kind { Traces, Fitted };
  Kind kind = Kind::Traces;
  std::string path;
};

struct LearnSpec {
  std::variant<RuleShape, RuleFile> rule;
  NoiseSpec noise{};
  std::optional<RuleShape> robust;  // overrides what the noise implies
};

struct RunSpec {
  ModelId model{};
  NodeSetId nodes{};
  Seconds time{};
  Joules energy{};
  LearnSpec learn{};
};

struct JumpSpec {
  Jump expected{};
  double noise = 0;
  std::optional<Jump> robust;  // overrides what the noise implies
};

struct ModelChangeSpec {
  ModelId from{};
  ModelId to{};
  Seconds time{};
  Joules energy{};
  JumpSpec jump{};
};

struct NodeChangeSpec {
  NodeSetId from{};
  NodeSetId to{};
  Seconds time{};
  Joules energy{};
};

// Replaces the sum of model part and node part for one pair of placements.
struct PairChangeSpec {
  ModelId from_model{};
  NodeSetId from_nodes{};
  ModelId to_model{};
  NodeSetId to_nodes{};
  Seconds time{};
  Joules energy{};
  std::optional<JumpSpec> jump;  // absent: that of the model part, if any
};

struct TrueRunSpec {
  ModelId model{};
  NodeSetId nodes{};
  LearnSpec learn{};
};

struct TrueJumpSpec {
  ModelId from{};
  ModelId to{};
  JumpSpec jump{};
};

// Where reality differs from the estimates. Strategies never see it.
struct TruthSpec {
  std::vector<TrueRunSpec> runs;
  std::vector<TrueJumpSpec> jumps;
};

struct Scenario {
  std::string name;
  GoalSpec goal;
  StartSpec start;
  std::vector<ModelSpec> models;
  std::vector<NodeSetSpec> node_sets;
  std::vector<RunSpec> runs;  // may be empty where there is `training` to measure them with
  std::vector<ModelChangeSpec> model_changes;
  std::optional<std::vector<NodeChangeSpec>> node_changes;  // absent: all pairs, at no cost
  std::vector<PairChangeSpec> pair_changes;
  TruthSpec truth;
  std::optional<TrainingSpec> training;
  std::optional<CollectSpec> collect;  // only with `training`
};

}  // namespace espalier
