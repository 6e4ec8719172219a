// SPDX-License-Identifier: Apache-2.0
#include "support/random_scenario.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace espalier::support {
namespace {

// splitmix64: portable, and good enough to shuffle test cases.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1.0p-53;
  }
  int pick(int low, int high) {
    return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double p) { return uniform(0, 1) < p; }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

constexpr double kStartLoss = 2.0;
constexpr double kTimeGrid = 0.1;
constexpr double kLossGrid = 0.05;

class Maker {
 public:
  Maker(std::uint64_t seed, const RandomOptions& options) : dice_(seed), options_(options) {}

  Scenario make() {
    scenario_.name = "random";
    add_models();
    add_node_sets();
    add_runs();
    add_model_changes();
    add_node_changes();
    scenario_.start = {ModelId{0}, NodeSetId{0}, Loss{kStartLoss}};
    scenario_.goal.loss = Loss{on_loss_grid(dice_.uniform(0.35, 1.5))};
    scenario_.goal.deadline = Seconds{on_time_grid(options_.epochs * dice_.uniform(0.4, 1.1))};
    return scenario_;
  }

 private:
  double on_loss_grid(double x) const {
    return options_.on_grid ? kLossGrid * std::round(x / kLossGrid) : x;
  }
  double on_time_grid(double x) const {
    return options_.on_grid ? kTimeGrid * std::max(1.0, std::round(x / kTimeGrid)) : x;
  }
  static ModelId model(int i) { return {i}; }
  static NodeSetId nodes(int i) { return {i}; }
  int model_count() const { return static_cast<int>(scenario_.models.size()); }
  int set_count() const { return static_cast<int>(scenario_.node_sets.size()); }

  void add_models() {
    const int count = dice_.pick(1, options_.max_models);
    for (int i = 0; i < count; ++i) {
      ModelSpec spec{std::string(1, static_cast<char>('A' + i)), std::nullopt, 0.2 * i};
      if (i > 0) spec.from = model(i - 1);
      scenario_.models.push_back(spec);
    }
  }

  void add_node_sets() {
    const int count = dice_.pick(1, options_.max_node_sets);
    for (int i = 0; i < count; ++i) {
      NodeSetSpec spec{"n" + std::to_string(i), {}, {}};
      if (!options_.on_grid && dice_.chance(0.2)) spec.levels = {{"full", 1, 1}, {"eco", 1.5, 0.7}};
      scenario_.node_sets.push_back(spec);
    }
  }

  void add_runs() {
    for (int m = 0; m < model_count(); ++m) {
      for (int n = 0; n < set_count(); ++n) {
        if (m + n > 0 && dice_.chance(0.25)) continue;
        const double size = 1.0 / (1 + 0.5 * m);
        RunSpec run{model(m),
                    nodes(n),
                    Seconds{on_time_grid(size * dice_.uniform(0.6, 1.4))},
                    Joules{size * dice_.uniform(0.3, 1.5)},
                    {}};
        run.learn.rule = shape(m);
        if (options_.noisy) run.learn.noise = {dice_.uniform(0, 0.2), dice_.uniform(0, 0.3)};
        scenario_.runs.push_back(run);
      }
    }
  }

  RuleShape shape(int m) {
    RuleKind kind = options_.kind;
    if (kind == RuleKind::Mixed) kind = static_cast<RuleKind>(dice_.pick(0, 2));
    const double speed = 1.0 / (1 + 0.15 * m);
    if (kind == RuleKind::Power) {
      const double power = dice_.chance(0.3) ? 1 : dice_.uniform(0.5, 1.6);
      return PowerRule{speed * dice_.uniform(0.1, 0.3), dice_.uniform(0, 0.4), power};
    }
    if (kind == RuleKind::Steps) return steps(speed);
    return curve(speed);
  }

  StepsRule steps(double speed) {
    StepsRule rule;
    const int count = dice_.pick(2, options_.epochs + 2);
    for (int k = 0; k < count; ++k) {
      const double fall = speed * dice_.uniform(0.05, 0.5) / (1 + 0.2 * k);
      rule.steps.push_back(on_loss_grid(dice_.chance(0.05) ? 0.5 * fall : -fall));
    }
    return rule;
  }

  CurveRule curve(double speed) {
    CurveRule rule;
    double loss = dice_.uniform(1.5, 2.5);
    const int count = dice_.pick(2, 12);
    for (int k = 0; k < count && loss > 0.05; ++k) {
      rule.points.push_back(loss);
      loss -= loss * speed * dice_.uniform(0.1, 0.3);
    }
    return rule;
  }

  void add_model_changes() {
    const bool heads = dice_.chance(0.5);
    const bool is_two_way =
        options_.switching == Switching::Either ? heads : options_.switching == Switching::TwoWay;
    for (int a = 0; a < model_count(); ++a) {
      for (int b = is_two_way ? 0 : a + 1; b < model_count(); ++b) {
        if (a == b || dice_.chance(0.2)) continue;
        ModelChangeSpec row{
            model(a), model(b), Seconds{on_change_grid()}, Joules{dice_.uniform(0, 0.3)}, {}};
        row.jump.expected.add = on_loss_grid(dice_.uniform(0, 0.3));
        if (!options_.on_grid && dice_.chance(0.3))
          row.jump.expected.scale = dice_.uniform(0.9, 1.2);
        if (options_.noisy) row.jump.noise = dice_.uniform(0, 0.3);
        scenario_.model_changes.push_back(row);
      }
    }
  }

  double on_change_grid() {
    return options_.on_grid ? kTimeGrid * dice_.pick(0, 3) : dice_.uniform(0, 0.3);
  }

  void add_node_changes() {
    if (dice_.chance(0.3)) return;
    scenario_.node_changes.emplace();
    for (int a = 0; a < set_count(); ++a) {
      for (int b = 0; b < set_count(); ++b) {
        if (a == b || dice_.chance(0.3)) continue;
        scenario_.node_changes->push_back(
            {nodes(a), nodes(b), Seconds{on_change_grid()}, Joules{dice_.uniform(0, 0.2)}});
      }
    }
  }

  Dice dice_;
  RandomOptions options_;
  Scenario scenario_;
};

}  // namespace

Scenario random_scenario(std::uint64_t seed, const RandomOptions& options) {
  return Maker(seed, options).make();
}

}  // namespace espalier::support
