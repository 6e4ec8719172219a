// SPDX-License-Identifier: Apache-2.0
#include "io/scenario_writer.h"

#include <fmt/format.h>

#include "io/flow_map.h"
#include "io/workload_writer.h"

namespace espalier {
namespace {

std::string list_text(const std::vector<double>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

void add_shape(FlowMap& map, const RuleShape& shape) {
  if (const auto* power = std::get_if<PowerRule>(&shape)) {
    map.add("rate", power->rate)
        .add_unless(PowerRule{}.floor, "floor", power->floor)
        .add_unless(PowerRule{}.power, "power", power->power);
  } else if (const auto* steps = std::get_if<StepsRule>(&shape)) {
    map.add("steps", list_text(steps->steps));
  } else {
    map.add("curve", list_text(std::get<CurveRule>(shape).points));
  }
}

std::string learn_text(const LearnSpec& learn) {
  FlowMap map;
  if (const auto* file = std::get_if<RuleFile>(&learn.rule)) {
    map.add(file->kind == RuleFile::Kind::Traces ? "traces" : "fitted", in_quotes(file->path));
  } else {
    add_shape(map, std::get<RuleShape>(learn.rule));
  }
  if (learn.noise != NoiseSpec{}) {
    FlowMap noise;
    noise.add_unless(0, "run", learn.noise.run).add_unless(0, "epoch", learn.noise.epoch);
    map.add("noise", noise.text());
  }
  if (learn.robust) {
    FlowMap robust;
    add_shape(robust, *learn.robust);
    map.add("robust", robust.text());
  }
  return map.text();
}

void add_jump(FlowMap& map, std::string_view key, const Jump& jump) {
  if (jump.scale == Jump{}.scale) {
    map.add(key, jump.add);
  } else {
    map.add(key, FlowMap().add_unless(Jump{}.add, "add", jump.add).add("scale", jump.scale).text());
  }
}

void add_jump(FlowMap& map, const JumpSpec& jump) {
  add_jump(map, "jump", jump.expected);
  map.add_unless(JumpSpec{}.noise, "jump_noise", jump.noise);
  if (jump.robust) add_jump(map, "jump_robust", *jump.robust);
}

class Writer {
 public:
  explicit Writer(const Scenario& scenario) : scenario_(scenario) {}

  std::string write() {
    line("espalier: 1");
    line("name: " + word(scenario_.name));
    write_goal();
    write_models();
    write_node_sets();
    write_runs();
    write_change();
    write_truth();
    text_ += workload_yaml(scenario_);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  const std::string& model(ModelId id) const { return scenario_.models[id.pos()].name; }
  const std::string& nodes(NodeSetId id) const { return scenario_.node_sets[id.pos()].name; }

  void write_goal() {
    const GoalSpec& goal = scenario_.goal;
    const StartSpec& start = scenario_.start;
    FlowMap map;
    map.add("loss", goal.loss.value).add("deadline", goal.deadline.value);
    line("goal: " + map.add_unless(GoalSpec{}.probability, "probability", goal.probability).text());
    line("start: " + place(start.model, start.nodes).add("loss", start.loss.value).text());
  }

  FlowMap place(ModelId m, NodeSetId n) const {
    return FlowMap().add("model", word(model(m))).add("nodes", word(nodes(n)));
  }

  void write_models() {
    line("models:");
    for (const ModelSpec& spec : scenario_.models) {
      FlowMap map;
      if (spec.from) map.add("from", word(model(*spec.from)));
      line(fmt::format("  {}: {}", word(spec.name),
                       map.add_unless(ModelSpec{}.prune, "prune", spec.prune).text()));
    }
  }

  void write_node_sets() {
    line("nodes:");
    for (const NodeSetSpec& set : scenario_.node_sets) line("  " + word(set.name) + ": {}");
    write_options("levels", &NodeSetSpec::levels);
    write_options("data", &NodeSetSpec::data_options);
  }

  template <class Option>
  void write_options(const std::string& section, std::vector<Option> NodeSetSpec::*options) {
    std::string text;
    for (const NodeSetSpec& set : scenario_.node_sets) {
      FlowMap map;
      for (const Option& option : set.*options) map.add(word(option.name), option_text(option));
      if (!(set.*options).empty()) text += fmt::format("  {}: {}\n", word(set.name), map.text());
    }
    if (!text.empty()) text_ += section + ":\n" + text;
  }

  static std::string option_text(const LevelSpec& level) {
    const LevelSpec usual;
    return FlowMap()
        .add_unless(usual.time, "time", level.time)
        .add_unless(usual.energy, "energy", level.energy)
        .text();
  }

  static std::string option_text(const DataOptionSpec& option) {
    const DataOptionSpec usual;
    return FlowMap()
        .add_unless(usual.time, "time", option.time)
        .add_unless(usual.energy, "energy", option.energy)
        .add_unless(usual.rate, "rate", option.rate)
        .add_unless(usual.floor_add, "floor_add", option.floor_add)
        .add_unless(usual.once.value, "once", option.once.value)
        .text();
  }

  void write_runs() {
    if (scenario_.runs.empty()) return;
    line("run:");
    for (const RunSpec& run : scenario_.runs) {
      FlowMap map = place(run.model, run.nodes);
      map.add("time", run.time.value).add("energy", run.energy.value);
      line("  - " + map.add("learn", learn_text(run.learn)).text());
    }
  }

  void write_change() {
    line("change:");
    line(scenario_.model_changes.empty() ? "  models: []" : "  models:");
    for (const ModelChangeSpec& row : scenario_.model_changes) {
      FlowMap map;
      map.add("from", word(model(row.from))).add("to", word(model(row.to)));
      map.add("time", row.time.value).add("energy", row.energy.value);
      add_jump(map, row.jump);
      line("    - " + map.text());
    }
    write_node_changes();
    if (!scenario_.pair_changes.empty()) line("  pairs:");
    for (const PairChangeSpec& row : scenario_.pair_changes) write_pair(row);
  }

  void write_node_changes() {
    if (!scenario_.node_changes) return line("  nodes: any");
    line(scenario_.node_changes->empty() ? "  nodes: []" : "  nodes:");
    for (const NodeChangeSpec& row : *scenario_.node_changes) {
      FlowMap map;
      map.add("from", word(nodes(row.from))).add("to", word(nodes(row.to)));
      line("    - " + map.add("time", row.time.value).add("energy", row.energy.value).text());
    }
  }

  void write_pair(const PairChangeSpec& row) {
    FlowMap map;
    map.add("from", place(row.from_model, row.from_nodes).text());
    map.add("to", place(row.to_model, row.to_nodes).text());
    map.add("time", row.time.value).add("energy", row.energy.value);
    if (row.jump) add_jump(map, *row.jump);
    line("    - " + map.text());
  }

  void write_truth() {
    const TruthSpec& truth = scenario_.truth;
    if (truth.runs.empty() && truth.jumps.empty()) return;
    line("truth:");
    line(truth.runs.empty() ? "  run: []" : "  run:");
    for (const TrueRunSpec& row : truth.runs) {
      line("    - " + place(row.model, row.nodes).add("learn", learn_text(row.learn)).text());
    }
    line(truth.jumps.empty() ? "  models: []" : "  models:");
    for (const TrueJumpSpec& row : truth.jumps) {
      FlowMap map;
      map.add("from", word(model(row.from))).add("to", word(model(row.to)));
      add_jump(map, row.jump);
      line("    - " + map.text());
    }
  }

  const Scenario& scenario_;
  std::string text_;
};

}  // namespace

std::string to_yaml(const Scenario& scenario) { return Writer(scenario).write(); }

}  // namespace espalier
