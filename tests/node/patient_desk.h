// SPDX-License-Identifier: Apache-2.0
// A desk that hands each node the tasks that a test has for it, and keeps what comes back.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "wire/link.h"

namespace espalier {

// As an orchestrator would: one process per name as long as that is alive, others have to enrol
// first. Thread-safe.
class PatientDesk final : public Desk {
 public:
  explicit PatientDesk(ObjectStore& objects) : objects_(objects) {}

  static constexpr std::chrono::milliseconds kHeartbeat{100};
  static constexpr std::chrono::milliseconds kLost{1'000};

  void give(const std::string& node, Pulled pulled) {
    std::function<void(Pulled)> answer;
    {
      const std::lock_guard guard(mutex_);
      Node& one = nodes_[node];
      if (!one.waiting) return one.tasks.push_back(std::move(pulled));
      answer = std::exchange(one.waiting, nullptr);
    }
    answer(std::move(pulled));
  }
  void withdraw(const TaskId& task) {
    const std::lock_guard guard(mutex_);
    withdrawn_.push_back(task);
  }
  // As a process that was started again: it knows nobody.
  void forget_everybody() {
    const std::lock_guard guard(mutex_);
    for (auto& [name, node] : nodes_) node.incarnation.clear();
  }

  std::vector<TaskResult> results() const {
    const std::lock_guard guard(mutex_);
    return results_;
  }
  std::vector<Hello> hellos(const std::string& node) const {
    const std::lock_guard guard(mutex_);
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? std::vector<Hello>() : found->second.hellos;
  }
  // Which task it said it is at, with its last sign of life.
  std::optional<TaskId> task_of(const std::string& node) const {
    const std::lock_guard guard(mutex_);
    const auto found = nodes_.find(node);
    if (found == nodes_.end() || !found->second.at) return std::nullopt;
    return found->second.at->task;
  }
  std::uint64_t heartbeats() const {
    const std::lock_guard guard(mutex_);
    return heartbeats_;
  }
  bool is_alive(const std::string& node) const {
    const std::lock_guard guard(mutex_);
    const auto found = nodes_.find(node);
    return found != nodes_.end() && is_alive(found->second);
  }

  Welcome enrol(const Visitor& who, const Hello& hello) override {
    const std::lock_guard guard(mutex_);
    Node& node = nodes_[who.node.value];
    if (node.incarnation != who.incarnation && is_alive(node))
      throw Error(ErrorCode::NotAllowed, "another process of this name is here");
    node.incarnation = who.incarnation;
    node.seen = Time::now();
    node.hellos.push_back(hello);
    return {"run", hello.nodes, kHeartbeat};
  }
  void pull(const Visitor& who, std::chrono::milliseconds,
            std::function<void(Pulled)> answer) override {
    Pulled next = Nothing{};
    {
      const std::lock_guard guard(mutex_);
      Node& node = known(who);
      if (node.tasks.empty()) {
        std::swap(node.waiting, answer);
      } else {
        next = std::move(node.tasks.front());
        node.tasks.pop_front();
      }
    }
    if (answer) answer(std::move(next));
  }
  void report(const Visitor& who, const TaskResult& result,
              std::function<void(Receipt)> answer) override {
    {
      const std::lock_guard guard(mutex_);
      known(who);
      results_.push_back(result);
    }
    answer(Receipt::Accepted);
  }
  bool heartbeat(const Visitor& who, const std::optional<AtWork>& at) override {
    const std::lock_guard guard(mutex_);
    Node& node = known(who);
    node.seen = Time::now();
    node.at = at;
    ++heartbeats_;
    return !at || std::find(withdrawn_.begin(), withdrawn_.end(), at->task) == withdrawn_.end();
  }
  bool may_fetch(const Visitor&, const ObjectRef& object) const override {
    return objects_.has(object);
  }
  bool may_push(const Visitor&, const ObjectRef&) const override { return true; }
  ObjectStore& objects() override { return objects_; }

 private:
  using Time = std::chrono::steady_clock;
  struct Node {
    std::string incarnation;
    Time::time_point seen{};
    std::optional<AtWork> at;
    std::deque<Pulled> tasks;
    std::function<void(Pulled)> waiting;
    std::vector<Hello> hellos;
  };
  static bool is_alive(const Node& node) {
    return !node.incarnation.empty() && Time::now() - node.seen < kLost;
  }
  Node& known(const Visitor& who) {
    Node& node = nodes_[who.node.value];
    if (node.incarnation != who.incarnation) throw Error(ErrorCode::NotAllowed, "enrol first");
    return node;
  }

  ObjectStore& objects_;
  mutable std::mutex mutex_;
  std::map<std::string, Node> nodes_;
  std::vector<TaskResult> results_;
  std::vector<TaskId> withdrawn_;
  std::uint64_t heartbeats_ = 0;
};

}  // namespace espalier
