// SPDX-License-Identifier: Apache-2.0
// A desk that gives the task it was handed to whoever asks, and remembers what comes back.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/error.h"
#include "wire/link.h"

namespace espalier {

// Thread-safe. Results count once per task and node.
class FakeDesk final : public Desk {
 public:
  explicit FakeDesk(ObjectStore& objects) : objects_(objects) {}

  Welcome enrol(const Visitor& who, const Hello& hello) override {
    const std::lock_guard lock(mutex_);
    if (hello.nodes == "unknown") throw Error(ErrorCode::NotAllowed, "no such node set");
    visitors_[who.node] = who.incarnation;
    return {"run-1", hello.nodes, std::chrono::milliseconds(1500)};
  }

  // Answered by `give`, or by the next pull of the same node.
  void pull(const Visitor& who, std::chrono::milliseconds wait,
            std::function<void(Pulled)> answer) override {
    if (wait.count() == 0) return answer(Nothing{});
    std::function<void(Pulled)> older;
    {
      const std::lock_guard lock(mutex_);
      older = std::exchange(waiting_[who.node], std::move(answer));
    }
    if (older) older(Nothing{});
    ++pulls;
  }

  void report(const Visitor& who, const TaskResult& result,
              std::function<void(Receipt)> answer) override {
    Receipt receipt = Receipt::Accepted;
    {
      const std::lock_guard lock(mutex_);
      const bool is_new = results_.try_emplace({result.task, who.node}, result).second;
      if (!is_new) receipt = Receipt::Duplicate;
    }
    answer(receipt);
  }

  bool heartbeat(const Visitor& /*who*/, const std::optional<AtWork>& at) override {
    ++heartbeats;
    return !at || at->task.epoch > 0;
  }
  bool may_fetch(const Visitor& /*who*/, const ObjectRef& object) const override {
    if (is_out_of_memory) throw std::bad_alloc();
    return allows_objects && objects_.has(object);
  }
  bool may_push(const Visitor& /*who*/, const ObjectRef& object) const override {
    return allows_objects && object.size <= largest_update;
  }
  ObjectStore& objects() override { return objects_; }

  // To the node's open pull. Whether there was one.
  bool give(const NodeName& node, const Pulled& pulled) {
    std::function<void(Pulled)> answer;
    {
      const std::lock_guard lock(mutex_);
      answer = std::exchange(waiting_[node], nullptr);
    }
    if (answer) answer(pulled);
    return answer != nullptr;
  }

  std::size_t results() const {
    const std::lock_guard lock(mutex_);
    return results_.size();
  }

  std::atomic<int> heartbeats = 0;
  std::atomic<int> pulls = 0;
  std::atomic<bool> allows_objects = true;
  std::atomic<bool> is_out_of_memory = false;
  std::atomic<std::uint64_t> largest_update = std::uint64_t{1} << 30;

 private:
  ObjectStore& objects_;
  mutable std::mutex mutex_;
  std::map<NodeName, std::string> visitors_;
  std::map<NodeName, std::function<void(Pulled)>> waiting_;
  std::map<std::pair<TaskId, NodeName>, TaskResult> results_;
};

}  // namespace espalier
