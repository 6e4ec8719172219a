// SPDX-License-Identifier: Apache-2.0
// Every key of a scenario file, once: what it holds, its bounds, its default. The reader checks
// against it and docs/scenario.md is tested against it.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

struct Range {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double low = -kNone;
  double high = kNone;
  bool has_low = true;   // whether `low` itself is allowed
  bool has_high = true;  // whether `high` itself is allowed

  bool contains(double value) const;
  // "≥ 0", "> 0 and < 1".
  std::string text() const;
};

enum class ValueKind { Number, Whole, Time, Energy, Text, List, Map, Jump };

struct KeySchema {
  std::string_view name;
  ValueKind kind = ValueKind::Map;
  Range range{};  // of a number, or of each number in a list
  bool required = false;
  std::optional<double> otherwise{};            // what an absent number is taken for
  std::string_view example{};                   // "0.15"
  std::span<const std::string_view> choices{};  // of a text; the first is taken if it is absent
};

// The keys that one map may have.
struct MapSchema {
  std::string_view path;  // as the documentation names it: "change.models[]"; "" at the top
  std::vector<KeySchema> keys;

  const KeySchema* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

// The maps of a scenario file, in the order of the documentation.
enum class Shape {
  Top,
  Goal,
  Start,
  Model,
  NodeSet,
  Level,
  DataOption,
  Run,
  Learn,
  Noise,
  Robust,
  Change,
  ModelChange,
  NodeChange,
  PairChange,
  PairEnd,
  Jump,
  Truth,
  TrueRun,
  TrueJump,
  Training,
  NodeData,
  Collect,
  CollectAlso,
};

const MapSchema& schema_of(Shape shape);
std::span<const MapSchema> all_schemas();

}  // namespace espalier
