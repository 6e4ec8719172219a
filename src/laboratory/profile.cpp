// SPDX-License-Identifier: Apache-2.0
#include "laboratory/profile.h"

#include <algorithm>

#include "laboratory/loopback.h"
#include "networks/cost.h"
#include "training/fresh_weights.h"

namespace espalier {
namespace {

constexpr std::uint64_t kSeed = 1;

struct Placement {
  ModelId model{};
  NodeSetId nodes{};
};

template <class Specs>
auto ids_of(const Specs& specs, auto id) {
  std::vector<decltype(id)> ids;
  for (std::size_t i = 0; i < specs.size(); ++i) ids.push_back({static_cast<std::int32_t>(i)});
  return ids;
}

std::vector<Placement> placements_of(const Scenario& scenario) {
  std::vector<Placement> placements;
  for (const RunSpec& run : scenario.runs) placements.push_back({run.model, run.nodes});
  if (!placements.empty()) return placements;
  for (const ModelId model : ids_of(scenario.models, ModelId{})) {
    for (const NodeSetId nodes : ids_of(scenario.node_sets, NodeSetId{}))
      placements.push_back({model, nodes});
  }
  return placements;
}

// A network cannot grow: only those that take channels away.
std::vector<ModelChangeSpec> switches_of(const Scenario& scenario) {
  std::vector<ModelChangeSpec> switches = scenario.model_changes;
  if (!switches.empty()) return switches;
  for (const ModelId model : ids_of(scenario.models, ModelId{})) {
    if (const auto from = scenario.models[model.pos()].from)
      switches.push_back({*from, model, {}, {}, {}});
  }
  return switches;
}

std::vector<NodeChangeSpec> hand_overs_of(const Scenario& scenario) {
  if (scenario.node_changes) return *scenario.node_changes;
  std::vector<NodeChangeSpec> pairs;
  for (const NodeSetId from : ids_of(scenario.node_sets, NodeSetId{})) {
    for (const NodeSetId to : ids_of(scenario.node_sets, NodeSetId{})) {
      if (from != to) pairs.push_back({from, to, {}, {}});
    }
  }
  return pairs;
}

StepCost median_of(std::vector<StepCost> costs) {
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end(),
                   [](const StepCost& a, const StepCost& b) { return a.time < b.time; });
  return *middle;
}

double spread_of(const std::vector<StepCost>& costs) {
  const auto [low, high] =
      std::minmax_element(costs.begin(), costs.end(),
                          [](const StepCost& a, const StepCost& b) { return a.time < b.time; });
  const Seconds median = median_of(costs).time;
  return median.value > 0 ? (high->time - low->time) / median : 0;
}

class Profiler {
 public:
  Profiler(const Scenario& scenario, TrainingLaboratory& laboratory, const Clock& clock,
           const ProfileOptions& options)
      : scenario_(scenario), laboratory_(laboratory), clock_(clock), options_(options) {}

  Profile run() {
    Profile profile;
    profile.complete = each(placements_of(scenario_), profile.epochs,
                            [&](const Placement& at) { return epoch(at); }) &&
                       each(switches_of(scenario_), profile.switches,
                            [&](const ModelChangeSpec& row) { return change(row); }) &&
                       each(hand_overs_of(scenario_), profile.hand_overs,
                            [&](const NodeChangeSpec& row) { return hand_over(row); });
    return profile;
  }

 private:
  // False if it was stopped before the last one.
  template <class Rows, class Found, class Measure>
  bool each(const Rows& rows, std::vector<Found>& found, const Measure& measure) {
    for (const auto& row : rows) {
      if (options_.stop.stop_requested()) return false;
      found.push_back(measure(row));
      options_.on_step();
    }
    return true;
  }

  Network version(ModelId model) const {
    return fresh_network(laboratory_.version(scenario_.models[model.pos()].prune), kSeed);
  }

  EpochProfile epoch(const Placement& at) {
    const Network network = version(at.model);
    const auto costs = laboratory_.try_epoch(network, {at.nodes, kSeed, 0}, options_.trial);
    const Cost size = cost_of(network.architecture);
    return {at.model, at.nodes, median_of(costs), spread_of(costs), size.parameters, size.flops};
  }

  SwitchProfile change(const ModelChangeSpec& row) {
    const Network network = version(row.from);
    StepCost dearest;
    for (const NodeSetId nodes : ids_of(scenario_.node_sets, NodeSetId{})) {
      const StepCost cost = pruning(network, row, nodes);
      if (dearest.source.empty() || cost.time > dearest.time) dearest = cost;
    }
    return {row.from, row.to, dearest};
  }

  StepCost pruning(const Network& network, const ModelChangeSpec& row, NodeSetId nodes) {
    const double gone = scenario_.models[row.to.pos()].prune;
    std::vector<StepCost> costs;
    const int times = laboratory_.is_this_machine(nodes) ? options_.trial.repetitions : 1;
    for (int i = 0; i < times; ++i)
      costs.push_back(laboratory_.prune(network, {nodes, kSeed, 0}, gone).cost);
    return median_of(costs);
  }

  HandOverProfile hand_over(const NodeChangeSpec& row) {
    const int64_t bytes = bytes_of(laboratory_.version(0));
    StepCost cost = laboratory_.arrival(bytes, row.from, row.to);
    if (laboratory_.is_this_machine(row.from) && laboratory_.is_this_machine(row.to))
      cost.time = loopback_time(bytes, clock_);
    return {row.from, row.to, cost};
  }

  const Scenario& scenario_;
  TrainingLaboratory& laboratory_;
  const Clock& clock_;
  const ProfileOptions& options_;
};

const RunSpec* find_run(const std::vector<RunSpec>& runs, ModelId model, NodeSetId nodes) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunSpec& run) {
    return run.model == model && run.nodes == nodes;
  });
  return found == runs.end() ? nullptr : &*found;
}

}  // namespace

std::size_t profile_rows(const Scenario& scenario) {
  return placements_of(scenario).size() + switches_of(scenario).size() +
         hand_overs_of(scenario).size();
}

Profile profile(const Scenario& scenario, TrainingLaboratory& laboratory, const Clock& clock,
                const ProfileOptions& options) {
  return Profiler(scenario, laboratory, clock, options).run();
}

Scenario with_costs(Scenario scenario, const Profile& profile, const std::string& traces) {
  std::vector<RunSpec> runs;
  for (const EpochProfile& epoch : profile.epochs) {
    const RunSpec* known = find_run(scenario.runs, epoch.model, epoch.nodes);
    const LearnSpec learn =
        known ? known->learn : LearnSpec{RuleFile{RuleFile::Kind::Traces, traces}, {}, {}};
    runs.push_back({epoch.model, epoch.nodes, epoch.cost.time, epoch.cost.energy, learn});
  }
  std::vector<ModelChangeSpec> switches = switches_of(scenario);
  for (std::size_t i = 0; i < profile.switches.size(); ++i) {
    switches[i].time = profile.switches[i].cost.time;
    switches[i].energy = profile.switches[i].cost.energy;
  }
  std::vector<NodeChangeSpec> hand_overs = hand_overs_of(scenario);
  for (std::size_t i = 0; i < profile.hand_overs.size(); ++i) {
    hand_overs[i].time = profile.hand_overs[i].cost.time;
    hand_overs[i].energy = profile.hand_overs[i].cost.energy;
  }
  scenario.runs = std::move(runs);
  scenario.model_changes = std::move(switches);
  scenario.node_changes = std::move(hand_overs);
  return scenario;
}

}  // namespace espalier
