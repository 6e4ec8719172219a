// SPDX-License-Identifier: Apache-2.0
// An orchestrator that does nothing but hand out one network and sum up what comes back.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "net/moment.h"
#include "objects/file_object_store.h"
#include "wire/link.h"

namespace espalier::bench {

struct Load {
  int agents = 0;
  int rounds = 0;
};

// A round begins when all agents ask for it. Thread-safe.
class LoadDesk final : public Desk {
 public:
  LoadDesk(FileObjectStore& store, Load load, ObjectRef network);

  // The process of the agents, for the clock.
  void set_others(pid_t others);

  Welcome enrol(const Visitor& who, const Hello& hello) override;
  void pull(const Visitor& who, std::chrono::milliseconds wait,
            std::function<void(Pulled)> answer) override;
  void report(const Visitor& who, const TaskResult& result,
              std::function<void(Receipt)> answer) override;
  bool heartbeat(const Visitor& who, const std::optional<TaskId>& at) override;
  bool may_fetch(const Visitor& who, const ObjectRef& object) const override;
  bool may_push(const Visitor& who, const ObjectRef& object) const override;
  ObjectStore& objects() override { return store_; }

  // Whether every update of every round is in the sum, exactly once: agent i marks the first and
  // the last weight of its updates with i + 1.
  bool is_complete() const;
  // From when all were there to the last receipt.
  Moment span() const;

 private:
  void add(const ObjectRef& update);
  Pulled next() const;

  FileObjectStore& store_;
  const Load load_;
  const ObjectRef network_;
  std::mutex summing_;
  std::vector<float> sum_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  pid_t others_ = 0;
  int round_ = 0;
  int results_ = 0;
  std::set<NodeName> reported_;
  std::map<NodeName, std::function<void(Pulled)>> waiting_;
  Moment begin_;
  Moment end_;
};

}  // namespace espalier::bench
