// SPDX-License-Identifier: Apache-2.0
// A whole run in one thread: an orchestrator, a clock that stands still, and nodes that pretend to
// train.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "fakes/clock.h"
#include "networks/channel_budget.h"
#include "networks/network_catalogue.h"
#include "objects/file_object_store.h"
#include "orchestrator/orchestrator.h"
#include "orchestrator/stored_object.h"
#include "strategies/registry.h"
#include "support/factory.h"
#include "training/fresh_weights.h"
#include "wire/digest.h"

namespace espalier::fakes {

// In memory where there is such a folder: thousands of flushes take no time there.
inline std::filesystem::path quick_folder() {
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

// Two nodes in each set, three models, a tiny network.
inline Scenario scenario_for_fakes() {
  Scenario scenario = support::small_factory();
  scenario.name = "fakes";
  scenario.goal = {Loss{0.6}, Seconds{100}, 0.9};
  scenario.start.loss = Loss{2};
  TrainingSpec& training = *scenario.training;
  training.network = "vgg11";
  training.width = 0.02;
  training.round_to = 1;
  for (NodeDataSpec& nodes : training.nodes) {
    nodes.samples = 2000;
    nodes.members = 2;
  }
  return scenario;
}

inline RunSetup setup_for_fakes(const Scenario& scenario = scenario_for_fakes()) {
  return {.run = "fakes-1",
          .scenario = scenario,
          .problem = without_growing(Problem::estimated(scenario), scenario),
          .expected = expected_nodes(scenario)};
}

// What a node does with a task, and how it could go wrong. `result` is what it would say.
struct FakeWork {
  const Task& task;
  TaskResult& result;
  ObjectStore& objects;
};
using Mischief = std::function<void(FakeWork&)>;

// The loss after the epoch of a task.
using FakeLoss = std::function<double(int epochs)>;

// Owned by one thread.
class FakeNode {
 public:
  FakeNode(NodeName name, NodeSetId nodes, std::string set, std::int64_t samples)
      : name_(std::move(name)), nodes_(nodes), set_(std::move(set)), samples_(samples) {}

  Mischief mischief;  // before it reports
  FakeLoss loss = [](int epochs) { return 2.0 * std::pow(0.85, epochs); };
  bool is_dead = false;  // says nothing any more
  bool is_slow = false;  // never finishes what it has
  std::vector<Receipt> receipts;
  std::vector<TaskId> done;

  const NodeName& name() const { return name_; }
  NodeSetId nodes() const { return nodes_; }
  Visitor visitor() const { return {name_, incarnation_}; }

  // A new process of that name.
  void restart(const std::string& incarnation) {
    incarnation_ = incarnation;
    has_enrolled_ = false;
    is_dead = false;
    is_waiting_ = false;
    task_.reset();
  }

  Hello hello() const {
    Hello hello{set_, samples_, 10, 1, 32, 32, incarnation_, "fake"};
    return hello;
  }

  // Does what there is to do. Whether there was something.
  bool act(FrontDesk& desk, ObjectStore& objects) {
    if (is_dead || is_dismissed_) return false;
    if (!has_enrolled_) {
      desk.enrol(visitor(), hello());
      has_enrolled_ = true;
    }
    desk.heartbeat(visitor(), std::nullopt);
    if (!task_ && !is_waiting_) {
      is_waiting_ = true;
      desk.pull(visitor(), std::chrono::seconds(20), [this](Pulled pulled) { take(pulled); });
    }
    if (!task_ || is_slow) return false;
    const Task task = *std::exchange(task_, std::nullopt);
    report(desk, objects, task);
    return true;
  }

  void report(FrontDesk& desk, ObjectStore& objects, const Task& task) {
    TaskResult result = work(objects, task);
    if (mischief) {
      FakeWork all{task, result, objects};
      mischief(all);
    }
    done.push_back(task.id);
    desk.report(visitor(), result, [this](Receipt receipt) { receipts.push_back(receipt); });
  }

  TaskResult work(ObjectStore& objects, const Task& task) const {
    TaskResult result;
    result.task = task.id;
    result.samples = samples_;
    result.time = {1};
    result.energy = {{2}, Provenance::Measured, "a fake"};
    if (!objects.has(task.network)) return result;  // an old one; what it says will not count
    const Network network = stored_network(objects, task.network, "the network");
    // Part of it depends on the network's bits: whoever has another one sees another loss.
    const double luck = static_cast<double>(task.network.sha256[0]) * 1e-6;
    const bool is_first = task.id.round == static_cast<int>(RoundKind::FirstLook);
    result.loss = {loss(task.id.epoch + (is_first ? 0 : 1)) + luck};
    if (const auto* prune = std::get_if<PruneWork>(&task.work))
      result.update = put_network(objects, pruned(network, *prune, task));
    if (std::holds_alternative<TrainWork>(task.work))
      result.update = put_network(objects, trained(network, task));
    return result;
  }

 private:
  void take(const Pulled& pulled) {
    is_waiting_ = false;
    if (const auto* task = std::get_if<Task>(&pulled)) task_ = *task;
    is_dismissed_ |= std::holds_alternative<Dismissal>(pulled);
  }

  Network trained(Network network, const Task& task) const {
    const auto step = static_cast<float>(1 + task.id.epoch) * 0.01F +
                      static_cast<float>(name_.value.back() - '0') * 0.003F;
    for (auto& [key, tensor] : network.weights) {
      for (float& value : tensor.values) value = 0.9F * value + step;
      if (key.ends_with(".weight") || key.ends_with(".bias"))
        network.momentum[key] =
            Tensor{tensor.shape, std::vector<float>(tensor.values.size(), step)};
    }
    return network;
  }

  static Network pruned(const Network& network, const PruneWork& prune, const Task& task) {
    const Architecture full =
        build_network(prune.network, {prune.width, 10, network.architecture.input});
    const Architecture smaller = pruned_architecture(full, {prune.gone, {}, prune.round_to});
    return fresh_network(smaller, static_cast<std::uint64_t>(task.network.sha256[1]));
  }

  const NodeName name_;
  const NodeSetId nodes_;
  const std::string set_;
  const std::int64_t samples_;
  std::string incarnation_ = "first";
  bool has_enrolled_ = false;
  bool is_waiting_ = false;
  bool is_dismissed_ = false;
  std::optional<Task> task_;
};

// A run in a folder; several of them after each other are one that is resumed. Owned by one thread.
class RunOfFakes {
 public:
  explicit RunOfFakes(const std::filesystem::path& folder, RunSetup setup = setup_for_fakes(),
                      const std::string& strategy = "pact", PlannerOptions planning = {})
      : setup_(std::move(setup)),
        directory_(folder),
        lock_((directory_.make(), directory_)),
        objects_(directory_.objects()),
        past_(std::filesystem::exists(directory_.journal()) ? read_journal(directory_.journal())
                                                            : JournalReading{}),
        journal_(directory_.journal(), past_.events.size()),
        adviser_(setup_, {strategy_named(strategy), planning, {}}),
        orchestrator_(setup_, directory_, journal_, past_.events,
                      {objects_, clock_, adviser_, {}, {}}) {
    for (const ExpectedNode& node : setup_.expected)
      nodes.emplace(node.name.value,
                    FakeNode(node.name, node.nodes,
                             setup_.scenario.node_sets[node.nodes.pos()].name, node.samples));
  }

  std::map<std::string, FakeNode> nodes;

  Orchestrator& orchestrator() { return orchestrator_; }
  Journal& journal() { return journal_; }
  FrontDesk& desk() { return orchestrator_.desk(); }
  FileObjectStore& objects() { return objects_; }
  FakeClock& clock() { return clock_; }
  const RunState& state() const { return orchestrator_.state(); }
  const RunSetup& setup() const { return setup_; }
  const RunDirectory& directory() const { return directory_; }

  void begin(RunBegan began = {}) { orchestrator_.begin(std::move(began)); }

  // Everybody acts, and a moment passes.
  void turn(Seconds moment = {0.01}) {
    for (auto& [name, node] : nodes) node.act(desk(), objects_);
    orchestrator_.turn();
    clock_.pass(moment);
  }
  // Whether it came to that within so many turns.
  bool turn_until(const std::function<bool(const RunState&)>& there, Seconds moment = {0.01},
                  int most = 5000) {
    for (int i = 0; i < most; ++i) {
      if (there(state())) return true;
      turn(moment);
    }
    return there(state());
  }
  bool finish(Seconds moment = {0.01}) {
    return turn_until([](const RunState& state) { return state.end.has_value(); }, moment);
  }
  // Time goes by in small steps, with everybody doing what they can.
  void pass(Seconds time) {
    for (double left = time.value; left > 0; left -= 0.5) turn({0.5});
  }

 private:
  const RunSetup setup_;
  const RunDirectory directory_;
  const RunLock lock_;
  FakeClock clock_;
  FileObjectStore objects_;
  JournalReading past_;
  Journal journal_;
  Adviser adviser_;
  Orchestrator orchestrator_;
};

}  // namespace espalier::fakes
