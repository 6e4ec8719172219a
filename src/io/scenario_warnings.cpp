// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "io/change_graph.h"
#include "io/scenario_check.h"

namespace espalier {
namespace {

const std::string& name_of(const Scenario& scenario, ModelId model) {
  return scenario.models[model.pos()].name;
}

std::string name_of(const Scenario& scenario, ModelId model, NodeSetId nodes) {
  return name_of(scenario, model) + " on " + scenario.node_sets[nodes.pos()].name;
}

// --- things that are never used ----------------------------------------------------------------

std::set<ModelId> used_models(const Scenario& scenario) {
  std::set<ModelId> used{scenario.start.model};
  for (const RunSpec& run : scenario.runs) used.insert(run.model);
  return used;
}

void warn_unused(const Scenario& scenario, PathReport& report) {
  if (scenario.runs.empty()) return;
  const std::set<ModelId> models = used_models(scenario);
  std::set<NodeSetId> sets{scenario.start.nodes};
  for (const RunSpec& run : scenario.runs) sets.insert(run.nodes);
  const auto warn = [&](const std::string& path) {
    report.warning(path, "is in no row of run", "add a row to run, or remove it");
  };
  for (std::size_t m = 0; m < scenario.models.size(); ++m) {
    if (!models.contains({static_cast<std::int32_t>(m)})) warn("models." + scenario.models[m].name);
  }
  for (std::size_t n = 0; n < scenario.node_sets.size(); ++n) {
    if (!sets.contains({static_cast<std::int32_t>(n)})) warn("nodes." + scenario.node_sets[n].name);
  }
}

// --- goals -------------------------------------------------------------------------------------

bool may_lower(const Jump& jump) { return jump.add < 0 || jump.scale < 1; }

bool has_lowering_jump(const Scenario& scenario) {
  const auto& models = scenario.model_changes;
  const auto& pairs = scenario.pair_changes;
  return std::any_of(models.begin(), models.end(),
                     [](const ModelChangeSpec& row) { return may_lower(row.jump.expected); }) ||
         std::any_of(pairs.begin(), pairs.end(), [](const PairChangeSpec& row) {
           return row.jump && may_lower(row.jump->expected);
         });
}

// Below this no training leads; −∞ where nothing is known.
double floor_of(const Scenario& scenario, const RunSpec& run) {
  const auto* shape = std::get_if<RuleShape>(&run.learn.rule);
  if (shape == nullptr) return -std::numeric_limits<double>::infinity();
  double add = 0;
  const auto& options = scenario.node_sets[run.nodes.pos()].data_options;
  if (!options.empty()) {
    add = std::min_element(options.begin(), options.end(), [](const auto& a, const auto& b) {
            return a.floor_add < b.floor_add;
          })->floor_add;
  }
  if (const auto* power = std::get_if<PowerRule>(shape)) return power->floor + add;
  if (const auto* curve = std::get_if<CurveRule>(shape)) return curve->points.back() + add;
  return -std::numeric_limits<double>::infinity();
}

void warn_goal(const Scenario& scenario, PathReport& report) {
  const double goal = scenario.goal.loss.value;
  if (scenario.start.loss.value <= goal) {
    return report.warning(
        "start.loss",
        fmt::format("is {}, which already meets goal.loss {}", scenario.start.loss.value, goal),
        "lower goal.loss; as it is, nothing will be trained");
  }
  if (scenario.runs.empty()) return;
  double least = std::numeric_limits<double>::infinity();
  for (const RunSpec& run : scenario.runs) least = std::min(least, floor_of(scenario, run));
  if (goal >= least || has_lowering_jump(scenario)) return;
  report.warning("goal.loss", fmt::format("is {}, below the floor of every row of run", goal),
                 fmt::format("no plan gets below {}; raise goal.loss", least));
}

// --- estimates ---------------------------------------------------------------------------------

// Rules are compared at this many losses, in this many epochs at most.
constexpr int kLosses = 64;
constexpr int kEpochs = 64;

bool is_lower_somewhere(const RuleShape& a, const RuleShape& b, double top) {
  const LearningRule first(a);
  const LearningRule second(b);
  const int epochs = std::max(first.last_special_epoch(), second.last_special_epoch()) + 1;
  for (int epoch = 1; epoch <= std::min(epochs, kEpochs); ++epoch) {
    for (int i = 1; i <= kLosses; ++i) {
      const double loss = top * i / kLosses;
      if (first.next(epoch, loss) < second.next(epoch, loss) - 1e-9) return true;
    }
  }
  return false;
}

bool is_lower_somewhere(const Jump& a, const Jump& b, double top) {
  return a.apply(0) < b.apply(0) - 1e-9 || a.apply(top) < b.apply(top) - 1e-9;
}

void warn_optimism(const Scenario& scenario, PathReport& report) {
  const double top = scenario.start.loss.value;
  const auto warn = [&](const std::string& path, std::string_view than) {
    report.warning(path, fmt::format("is more hopeful than {} for some losses", than),
                   "the robust estimate is the cautious one; are the two swapped?");
  };
  for (std::size_t i = 0; i < scenario.runs.size(); ++i) {
    const LearnSpec& learn = scenario.runs[i].learn;
    const auto* shape = std::get_if<RuleShape>(&learn.rule);
    if (shape == nullptr || !learn.robust) continue;
    if (is_lower_somewhere(*learn.robust, *shape, top))
      warn(fmt::format("run[{}].learn.robust", i), "the expected rule");
  }
  const auto check = [&](const JumpSpec& jump, const std::string& row) {
    if (jump.robust && is_lower_somewhere(*jump.robust, jump.expected, top))
      warn(row + ".jump_robust", "jump");
  };
  for (std::size_t i = 0; i < scenario.model_changes.size(); ++i) {
    check(scenario.model_changes[i].jump, fmt::format("change.models[{}]", i));
  }
  for (std::size_t i = 0; i < scenario.pair_changes.size(); ++i) {
    if (scenario.pair_changes[i].jump)
      check(*scenario.pair_changes[i].jump, fmt::format("change.pairs[{}]", i));
  }
}

// --- ways --------------------------------------------------------------------------------------

// Models whose lineage has no switch; warns about each.
std::set<ModelId> warn_lineage(const Scenario& scenario, const ChangeGraph& graph,
                               PathReport& report) {
  const std::set<ModelId> used = used_models(scenario);
  std::set<ModelId> broken;
  for (std::size_t m = 0; m < scenario.models.size(); ++m) {
    const ModelId model{static_cast<std::int32_t>(m)};
    const auto from = scenario.models[m].from;
    if (!from || !used.contains(model) || graph.has_switch(*from, model)) continue;
    broken.insert(model);
    const std::string& parent = name_of(scenario, *from);
    const std::string& name = name_of(scenario, model);
    report.warning(
        fmt::format("models.{}.from", name),
        fmt::format("is {}, but change has no switch from {} to {}", parent, parent, name),
        fmt::format("add {{from: {}, to: {}, jump: 0.3}} to change.models", parent, name));
  }
  return broken;
}

void warn_unreachable(const Scenario& scenario, PathReport& report) {
  const ChangeGraph graph(scenario);
  const std::set<ModelId> broken = warn_lineage(scenario, graph, report);
  const std::vector<bool> reached = graph.reachable_runs();
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const RunSpec& run = scenario.runs[i];
    if (reached[i] || broken.contains(run.model)) continue;
    report.warning(fmt::format("run[{}]", i),
                   fmt::format("is never used: no changes lead from {} to {}",
                               name_of(scenario, scenario.start.model, scenario.start.nodes),
                               name_of(scenario, run.model, run.nodes)),
                   "add rows to change.models or change.nodes, or remove it");
  }
}

}  // namespace

void warn_about(const Scenario& scenario, PathReport& report) {
  warn_unused(scenario, report);
  warn_goal(scenario, report);
  warn_optimism(scenario, report);
  warn_unreachable(scenario, report);
}

}  // namespace espalier
