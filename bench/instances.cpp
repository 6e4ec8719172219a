// SPDX-License-Identifier: Apache-2.0
#include "instances.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "cheap_plan.h"
#include "core/error.h"
#include "splitmix.h"

namespace espalier::bench {
namespace {

constexpr double kStartLoss = 2.3;
constexpr double kGoalLoss = 0.3;
constexpr double kSmallestModel = 0.15;
constexpr double kMostRate = 0.5;

// Four decimals: short in a file, and equal wherever the mathematical library differs in its last
// bit.
double rounded(double x) { return std::round(x * 1e4) / 1e4; }

struct NodeTraits {
  double speed = 1;
  double energy = 1;
  double data = 1;       // how well its data teaches
  double floor_add = 0;  // how far from the best loss its data ends
};

class Generator {
 public:
  explicit Generator(const InstanceSpec& spec) : spec_(spec), random_(spec.seed * 1000003 + 17) {}

  Scenario build() {
    scenario_.name = name_of(spec_);
    scenario_.start = {{0}, {0}, Loss{kStartLoss}};
    scenario_.goal = {Loss{rounded(kGoalLoss * random_.uniform(0.9, 1.1))}, Seconds{1e9}, 0.95};
    add_models();
    add_node_sets();
    add_runs();
    add_model_changes();
    add_node_changes();
    set_deadline();
    return scenario_;
  }

 private:
  void add_models() {
    for (int m = 0; m < spec_.models; ++m) {
      const double share = spec_.models > 1 ? static_cast<double>(m) / (spec_.models - 1) : 0;
      const double jitter = m == 0 ? 1 : random_.uniform(0.9, 1.1);
      sizes_.push_back(rounded(std::pow(kSmallestModel, share) * jitter));
      ModelSpec model{
          .name = fmt::format("m{}", m), .from = {}, .prune = std::max(0.0, 1 - sizes_.back())};
      if (m > 0) model.from = ModelId{m - 1};
      scenario_.models.push_back(model);
    }
  }

  void add_node_sets() {
    for (int n = 0; n < spec_.node_sets; ++n) {
      const double speed = random_.log_uniform(0.5, 2);
      // Fast nodes are hungry ones; otherwise no deadline would bind.
      traits_.push_back({speed, std::pow(speed, 0.8) * random_.log_uniform(0.7, 1.4),
                         random_.uniform(0.7, 1.2), random_.uniform(0, 0.04)});
      scenario_.node_sets.push_back(
          {.name = fmt::format("n{}", n), .levels = {}, .data_options = {}});
    }
  }

  void add_runs() {
    for (int m = 0; m < spec_.models; ++m) {
      for (int n = 0; n < spec_.node_sets; ++n) scenario_.runs.push_back(run(m, n));
    }
  }

  RunSpec run(int m, int n) {
    const double size = sizes_[static_cast<std::size_t>(m)];
    const NodeTraits& node = traits_[static_cast<std::size_t>(n)];
    RunSpec run{.model = {m}, .nodes = {n}};
    run.time = Seconds{rounded(std::pow(size, 0.8) / node.speed * random_.uniform(0.9, 1.1))};
    run.energy = Joules{rounded(size * node.energy * random_.uniform(0.9, 1.1))};
    run.learn.rule = shape(power_rule(size, node));
    run.learn.noise = {0, rounded(spec_.noise * random_.uniform(0, 2))};
    return run;
  }

  PowerRule power_rule(double size, const NodeTraits& node) {
    const double scale = 6.0 / spec_.epochs;
    const double speed = scale * std::pow(size, 0.6) * node.data * random_.uniform(0.9, 1.1);
    // Never beyond kMostRate, so that the rule stays monotone where plans are short.
    const double rate = kMostRate * (1 - std::exp(-speed / kMostRate));
    // The goal lies below the floor of the smallest models: they cannot do it alone.
    const double floor = 0.02 + 0.35 * (1 - size) * random_.uniform(0.7, 1.3) + node.floor_add;
    return {rate, rounded(floor), rounded(random_.uniform(1, 1.25))};
  }

  RuleShape shape(const PowerRule& rule) {
    const RuleKind kind = spec_.rules == RuleKind::Mixed
                              ? (random_.below(2) == 0 ? RuleKind::Power : RuleKind::Curve)
                              : spec_.rules;
    if (kind == RuleKind::Power) return rule;
    if (kind == RuleKind::Curve) return CurveRule{curve_of(rule, kStartLoss + 0.5)};
    const auto curve = curve_of(rule, kStartLoss);
    StepsRule steps;
    for (std::size_t k = 1; k < curve.size(); ++k) steps.steps.push_back(curve[k] - curve[k - 1]);
    return steps;
  }

  std::vector<double> curve_of(const PowerRule& rule, double from) const {
    const LearningRule one_epoch{rule};
    std::vector<double> points{from};
    for (int k = 1; k <= 2 * spec_.epochs; ++k) {
      const double next = one_epoch.next(k, points.back());
      if (points.back() - next < 1e-6) break;
      points.push_back(next);
    }
    return points;
  }

  void add_model_changes() {
    for (int from = 0; from < spec_.models; ++from) {
      for (int to = 0; to < spec_.models; ++to) {
        const bool grows = to < from;
        if (from == to || (grows && spec_.switching == Switching::OneWay)) continue;
        scenario_.model_changes.push_back(model_change(from, to));
      }
    }
  }

  ModelChangeSpec model_change(int from, int to) {
    const double a = sizes_[static_cast<std::size_t>(from)];
    const double b = sizes_[static_cast<std::size_t>(to)];
    const double lost = std::max(0.05, 1 - b / a);  // growing a model back unsettles it a little
    ModelChangeSpec change{.from = {from}, .to = {to}};
    change.time = Seconds{rounded(random_.uniform(0.3, 0.8))};
    change.energy = Joules{rounded(random_.uniform(0.2, 0.6) * (b > a ? 2 : 1))};
    change.jump.expected.add = rounded(0.25 * lost * random_.uniform(0.5, 1.5));
    const bool may_scale = spec_.rules != RuleKind::Steps && random_.below(4) == 0;
    if (may_scale) change.jump.expected.scale = rounded(random_.uniform(1, 1.05));
    change.jump.noise = spec_.noise;
    return change;
  }

  void add_node_changes() {
    scenario_.node_changes.emplace();
    for (int from = 0; from < spec_.node_sets; ++from) {
      for (int to = 0; to < spec_.node_sets; ++to) {
        if (from == to) continue;
        scenario_.node_changes->push_back({{from},
                                           {to},
                                           Seconds{rounded(random_.uniform(0.1, 0.4))},
                                           Joules{rounded(random_.uniform(0.05, 0.3))}});
      }
    }
  }

  void set_deadline() {
    auto fast = cheap_plan(problem(), spec_.estimator, ScalarCost::Time);
    while (!fast) {  // robust estimates may never come down so far
      scenario_.goal.loss = Loss{rounded(1.25 * scenario_.goal.loss.value)};
      fast = cheap_plan(problem(), spec_.estimator, ScalarCost::Time);
    }
    const auto frugal = cheap_plan(problem(), spec_.estimator, ScalarCost::Energy);
    ESPALIER_CHECK(frugal);
    const double least = fast->end().time.value;
    const double lazy = std::max(least, frugal->end().time.value);
    const double share = spec_.deadline == DeadlineKind::Binding ? 0.4 : 1.5;
    scenario_.goal.deadline = Seconds{rounded(least + share * (lazy - least)) + 1e-3};
  }

  Problem problem() const {
    Problem problem = Problem::estimated(scenario_);
    for (const Training& t : problem.placements()) {
      ESPALIER_CHECK(t.rule.expected.monotone_up_to() >= problem.ceiling());
    }
    return problem;
  }

  const InstanceSpec spec_;
  SplitMix random_;
  Scenario scenario_;
  std::vector<double> sizes_;
  std::vector<NodeTraits> traits_;
};

std::string name_of(RuleKind kind) {
  switch (kind) {
    case RuleKind::Power:
      return "power";
    case RuleKind::Curve:
      return "curve";
    case RuleKind::Mixed:
      return "mixed";
    case RuleKind::Steps:
      return "steps";
  }
  return "";
}

}  // namespace

Scenario random_scenario(const InstanceSpec& spec) { return Generator(spec).build(); }

std::string name_of(const InstanceSpec& spec) {
  return fmt::format("{}x{}, {} epochs, {}{}{}, seed {}", spec.models, spec.node_sets, spec.epochs,
                     name_of(spec.rules), spec.switching == Switching::OneWay ? ", one-way" : "",
                     spec.deadline == DeadlineKind::Loose ? ", loose" : "", spec.seed);
}

Scenario smart_factory(Loss goal, Seconds deadline) {
  Scenario s;
  s.name = "smart-factory";
  s.goal = {goal, deadline, 0.95};
  s.start = {{0}, {0}, Loss{2.3}};
  s.models = {{"L", {}, 0}, {"M", ModelId{0}, 0.5}, {"S", ModelId{1}, 0.75}};
  s.node_sets = {{"gold", {}, {}}, {"silver", {}, {}}, {"bronze", {}, {}}};
  const auto learn = [](double rate, double floor) {
    return LearnSpec{RuleShape{PowerRule{rate, floor, 1.4}}, {}, {}};
  };
  s.runs = {{{0}, {0}, Seconds{1}, Joules{1}, learn(0.08, 0.02)},
            {{1}, {1}, Seconds{0.8}, Joules{0.5}, learn(0.06, 0.05)},
            {{2}, {2}, Seconds{0.5}, Joules{0.2}, learn(0.04, 0.09)}};
  s.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.2}, {{0.30, 1}, 0, {}}},
                     {{1}, {2}, Seconds{0.3}, Joules{0.1}, {{0.25, 1}, 0, {}}}};
  s.node_changes = {{{0}, {1}, Seconds{0.2}, Joules{0.1}}, {{1}, {2}, Seconds{0.2}, Joules{0.1}}};
  return s;
}

}  // namespace espalier::bench
