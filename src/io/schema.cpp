// SPDX-License-Identifier: Apache-2.0
#include "io/schema.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/scenario.h"
#include "io/workload_words.h"

namespace espalier {
namespace {

constexpr Range kAny{};
constexpr Range kNotNegative{.low = 0};
constexpr Range kPositive{.low = 0, .has_low = false};
constexpr Range kInsideUnit{.low = 0, .high = 1, .has_low = false, .has_high = false};
constexpr Range kShare{.low = 0, .high = 1, .has_high = false};

constexpr Range counting_up_to(double most) { return {.low = 1, .high = most}; }

KeySchema needed(KeySchema key) {
  key.required = true;
  return key;
}

KeySchema number(std::string_view name, Range range, double otherwise, std::string_view example) {
  return {name, ValueKind::Number, range, false, otherwise, example};
}

KeySchema whole(std::string_view name, double most, double otherwise, std::string_view example) {
  return {name, ValueKind::Whole, counting_up_to(most), false, otherwise, example};
}

KeySchema or_none(KeySchema key) {
  key.range.low = 0;
  return key;
}

KeySchema choice(std::string_view name, std::span<const std::string_view> choices,
                 std::string_view example) {
  return {.name = name, .kind = ValueKind::Text, .example = example, .choices = choices};
}

KeySchema time(Range range, std::string_view example) {
  return {"time", ValueKind::Time, range, false, 0.0, example};
}

KeySchema energy(std::string_view name, std::string_view example) {
  return {name, ValueKind::Energy, kNotNegative, false, 0.0, example};
}

KeySchema text(std::string_view name, std::string_view example) {
  return {.name = name, .kind = ValueKind::Text, .example = example};
}

KeySchema numbers(std::string_view name, Range range, std::string_view example) {
  return {.name = name, .kind = ValueKind::List, .range = range, .example = example};
}

KeySchema list(std::string_view name, std::string_view example) {
  return {.name = name, .kind = ValueKind::List, .example = example};
}

KeySchema map(std::string_view name, std::string_view example) {
  return {.name = name, .kind = ValueKind::Map, .example = example};
}

KeySchema jump(std::string_view name, std::string_view example) {
  return {.name = name, .kind = ValueKind::Jump, .example = example};
}

MapSchema top_map() {
  return {"",
          {needed({.name = "espalier", .kind = ValueKind::Text, .example = "1"}),
           text("name", "smart-factory"), needed(map("goal", "{loss: 0.15, deadline: 1000}")),
           needed(map("start", "{model: L, nodes: gold, loss: 2.3}")),
           needed(map("models", "{L: {}, M: {from: L, prune: 0.5}}")),
           needed(map("nodes", "{gold: {}, silver: {}}")),
           map("levels", "{gold: {full: {}, eco: {time: 1.6, energy: 0.7}}}"),
           map("data", "{gold: {all: {}, half: {time: 0.5, energy: 0.5, rate: 0.6}}}"),
           list("run", "[{model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.08}}]"),
           map("change", "{models: [{from: L, to: M, jump: 0.3}], nodes: any}"),
           map("truth", "{run: [{model: L, nodes: gold, learn: {rate: 0.05}}]}"),
           map("training",
               "{network: vgg11, dataset: cifar10, nodes: {gold: {samples: 45000, classes: 10}}}"),
           map("collect", "{seeds: [1], sequences: [[gold]]}")}};
}

MapSchema run_map() {
  return {"run[]",
          {needed(text("model", "L")), needed(text("nodes", "gold")),
           needed(time(kPositive, "90 s")), needed(energy("energy", "500 kJ")),
           needed(map("learn", "{rate: 0.08, floor: 0.02, power: 1.4}"))}};
}

MapSchema learn_map() {
  return {"learn",
          {{"rate", ValueKind::Number, kNotNegative, false, std::nullopt, "0.08"},
           number("floor", kNotNegative, PowerRule{}.floor, "0.02"),
           number("power", kNotNegative, PowerRule{}.power, "1.4"),
           numbers("steps", kAny, "[-0.3, -0.2, -0.1]"),
           numbers("curve", kNotNegative, "[2.3, 1.2, 0.7, 0.5]"),
           text("traces", "traces.csv"),
           text("fitted", "traces.fitted"),
           map("noise", "{run: 0.25, epoch: 0.3}"),
           map("robust", "{rate: 0.05, floor: 0.03}")}};
}

MapSchema robust_map() {
  const MapSchema learn = learn_map();
  return {"learn.robust", {learn.keys.begin(), learn.keys.begin() + 5}};
}

MapSchema model_change_map() {
  return {
      "change.models[]",
      {needed(text("from", "L")), needed(text("to", "M")), time(kNotNegative, "30 s"),
       energy("energy", "200 J"), jump("jump", "0.3"),
       number("jump_noise", kNotNegative, JumpSpec{}.noise, "0.2"), jump("jump_robust", "0.4")}};
}

MapSchema pair_change_map() {
  return {
      "change.pairs[]",
      {needed(map("from", "{model: L, nodes: gold}")),
       needed(map("to", "{model: M, nodes: silver}")), needed(time(kNotNegative, "30 s")),
       needed(energy("energy", "200 J")), jump("jump", "0.3"),
       number("jump_noise", kNotNegative, JumpSpec{}.noise, "0.2"), jump("jump_robust", "0.4")}};
}

MapSchema data_option_map() {
  const DataOptionSpec all;
  return {
      "data.NODES.OPTION",
      {number("time", kPositive, all.time, "0.5"), number("energy", kPositive, all.energy, "0.5"),
       number("rate", kPositive, all.rate, "0.6"),
       number("floor_add", kNotNegative, all.floor_add, "0.01"), energy("once", "3 kJ")}};
}

MapSchema change_map() {
  return {"change",
          {list("models", "[{from: L, to: M, jump: 0.3}]"),
           list("nodes", "[{from: gold, to: silver, time: 5 s}]"),
           list("pairs",
                "[{from: {model: L, nodes: gold}, to: {model: M, nodes: silver}, "
                "time: 5 s, energy: 9 J}]")}};
}

MapSchema goal_map() {
  return {"goal",
          {needed(number("loss", kPositive, 0, "0.15")),
           needed({"deadline", ValueKind::Time, kPositive, false, 0.0, "2 h"}),
           number("probability", kInsideUnit, GoalSpec{}.probability, "0.95")}};
}

MapSchema training_map() {
  const TrainingSpec usual;
  return {
      "training",
      {needed(choice("network", kNetworks, "vgg11")),
       number("width", {.low = 0, .high = 4, .has_low = false}, usual.width, "0.25"),
       needed(text("dataset", "cifar10")), whole("batch", 65536, usual.batch, "64"),
       number("learning_rate", kPositive, usual.learning_rate, "0.001"),
       number("momentum", kShare, usual.momentum, "0.9"),
       number("weight_decay", kNotNegative, usual.weight_decay, "0.0005"),
       choice("schedule", kSchedules, "cosine"), or_none(whole("jitter", 16, usual.jitter, "4")),
       whole("local_epochs", 1000, usual.local_epochs, "1"),
       choice("criterion", kCriteria, "group-l2"), whole("round_to", 256, usual.round_to, "16"),
       choice("overlap", kOverlaps, "allowed"),
       needed(map("nodes", "{gold: {samples: 45000, classes: 10}}"))}};
}

MapSchema node_data_map() {
  const NodeDataSpec usual;
  return {"training.nodes.NODES",
          {needed(whole("samples", 1e9, 0, "45000")), needed(whole("classes", 65536, 0, "10")),
           whole("members", 10'000, usual.members, "5"), choice("split", kSplits, "iid"),
           number("alpha", kPositive, usual.alpha, "0.5"), text("device", "a100-sxm"),
           list("agents", "[hall-1, hall-2]")}};
}

MapSchema collect_also_map() {
  KeySchema epochs{.name = "switch_epochs", .kind = ValueKind::Whole, .example = "[5, 15, 25]"};
  epochs.range = counting_up_to(kMostEpochs);
  return {"collect.also[]",
          {needed(list("sequences", "[[gold, silver], [gold, silver, bronze]]")), epochs,
           numbers("ratios", kShare, "[[0.5, 0.75], [0.25, 0.5]]")}};
}

MapSchema collect_map() {
  KeySchema seeds{.name = "seeds", .kind = ValueKind::Whole, .example = "[1, 2]"};
  seeds.range = {.low = 0, .high = kLargestSeed};
  const std::vector<KeySchema> grid = collect_also_map().keys;
  return {"collect",
          {needed(seeds), grid[0], grid[1], grid[2],
           whole("last_epochs", kMostEpochs, CollectSpec{}.last_epochs, "40"),
           number("last_loss", kNotNegative, CollectSpec{}.last_loss, "0.05"),
           list("also", "[{sequences: [[gold, bronze]], switch_epochs: [1], ratios: [0.5]}]")}};
}

// In the order of Shape.
std::vector<MapSchema> make_schemas() {
  const KeySchema model = needed(text("model", "L"));
  const KeySchema nodes = needed(text("nodes", "gold"));
  const KeySchema noise = number("jump_noise", kNotNegative, JumpSpec{}.noise, "0.2");
  return {
      top_map(),
      goal_map(),
      {"start", {model, nodes, needed(number("loss", kPositive, 0, "2.3"))}},
      {"models.MODEL", {text("from", "L"), number("prune", kShare, ModelSpec{}.prune, "0.5")}},
      {"nodes.NODES", {}},
      {"levels.NODES.LEVEL",
       {number("time", kPositive, LevelSpec{}.time, "1.6"),
        number("energy", kPositive, LevelSpec{}.energy, "0.7")}},
      data_option_map(),
      run_map(),
      learn_map(),
      {"learn.noise",
       {number("run", kNotNegative, NoiseSpec{}.run, "0.25"),
        number("epoch", kNotNegative, NoiseSpec{}.epoch, "0.3")}},
      robust_map(),
      change_map(),
      model_change_map(),
      {"change.nodes[]",
       {needed(text("from", "gold")), needed(text("to", "silver")), time(kNotNegative, "30 s"),
        energy("energy", "200 J")}},
      pair_change_map(),
      {"change.pairs[].from", {model, nodes}},
      {"jump",
       {number("add", kAny, Jump{}.add, "0.3"), number("scale", kPositive, Jump{}.scale, "1.1")}},
      {"truth",
       {list("run", "[{model: L, nodes: gold, learn: {rate: 0.05}}]"),
        list("models", "[{from: L, to: M, jump: 0.5}]")}},
      {"truth.run[]", {model, nodes, needed(map("learn", "{rate: 0.05}"))}},
      {"truth.models[]",
       {needed(text("from", "L")), needed(text("to", "M")), needed(jump("jump", "0.5")), noise}},
      training_map(),
      node_data_map(),
      collect_map(),
      collect_also_map(),
  };
}

}  // namespace

bool Range::contains(double value) const {
  return (has_low ? value >= low : value > low) && (has_high ? value <= high : value < high);
}

std::string Range::text() const {
  const std::string above = low == -kNone ? "" : fmt::format("{} {}", has_low ? "≥" : ">", low);
  const std::string below = high == kNone ? "" : fmt::format("{} {}", has_high ? "≤" : "<", high);
  return above + (above.empty() || below.empty() ? "" : " and ") + below;
}

const KeySchema* MapSchema::find(std::string_view name) const {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const KeySchema& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> MapSchema::names() const {
  std::vector<std::string> names;
  for (const KeySchema& key : keys) names.emplace_back(key.name);
  return names;
}

std::span<const MapSchema> all_schemas() {
  static const std::vector<MapSchema> schemas = make_schemas();
  return schemas;
}

const MapSchema& schema_of(Shape shape) { return all_schemas()[static_cast<std::size_t>(shape)]; }

}  // namespace espalier
