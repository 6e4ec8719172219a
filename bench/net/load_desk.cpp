// SPDX-License-Identifier: Apache-2.0
#include "net/load_desk.h"

#include <cstring>

namespace espalier::bench {
namespace {

constexpr std::size_t kFloatsAtOnce = 32 * 1024;

}  // namespace

LoadDesk::LoadDesk(FileObjectStore& store, Load load, ObjectRef network)
    : store_(store),
      load_(load),
      network_(std::move(network)),
      sum_(network_.size / sizeof(float)) {}

void LoadDesk::set_others(pid_t others) {
  const std::lock_guard lock(mutex_);
  others_ = others;
}

Welcome LoadDesk::enrol(const Visitor& /*who*/, const Hello& hello) {
  return {"load", hello.nodes, std::chrono::milliseconds(2000)};
}

void LoadDesk::pull(const Visitor& who, std::chrono::milliseconds /*wait*/,
                    std::function<void(Pulled)> answer) {
  std::map<NodeName, std::function<void(Pulled)>> waiting;
  Pulled pulled;
  {
    const std::lock_guard lock(mutex_);
    waiting_[who.node] = std::move(answer);
    if (static_cast<int>(waiting_.size()) < load_.agents) return;
    if (round_ == 0) begin_ = moment_with(others_);
    waiting.swap(waiting_);
    pulled = next();
  }
  for (const auto& [unused, one] : waiting) one(pulled);
}

Pulled LoadDesk::next() const {
  if (round_ == load_.rounds) return Dismissal{"done"};
  Task task;
  task.id = {"load", round_, 1, 0};
  task.network = network_;
  task.update_limit = network_.size;
  return task;
}

void LoadDesk::report(const Visitor& who, const TaskResult& result,
                      std::function<void(Receipt)> answer) {
  add(*result.update);
  store_.drop(*result.update);
  {
    const std::lock_guard lock(mutex_);
    ++results_;
    reported_.insert(who.node);
    if (static_cast<int>(reported_.size()) == load_.agents) {
      reported_.clear();
      ++round_;
      end_ = moment_with(others_);
    }
  }
  answer(Receipt::Accepted);
}

bool LoadDesk::heartbeat(const Visitor& /*who*/, const std::optional<TaskId>& /*at*/) {
  return true;
}

bool LoadDesk::may_fetch(const Visitor& /*who*/, const ObjectRef& object) const {
  return object == network_;
}

bool LoadDesk::may_push(const Visitor& /*who*/, const ObjectRef& object) const {
  return object.size == network_.size;
}

void LoadDesk::add(const ObjectRef& update) {
  const std::lock_guard lock(summing_);
  std::vector<float> values(kFloatsAtOnce);
  for (std::uint64_t at = 0; at < sum_.size(); at += kFloatsAtOnce) {
    const std::string bytes =
        store_.read(update, at * sizeof(float), kFloatsAtOnce * sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) sum_[at + i] += values[i];
  }
}

bool LoadDesk::is_complete() const {
  const std::lock_guard lock(mutex_);
  const auto expected = static_cast<float>(load_.rounds * (load_.agents * (load_.agents + 1) / 2));
  return results_ == load_.agents * load_.rounds && sum_.front() == expected &&
         sum_.back() == expected;
}

Moment LoadDesk::span() const {
  const std::lock_guard lock(mutex_);
  return end_ - begin_;
}

}  // namespace espalier::bench
