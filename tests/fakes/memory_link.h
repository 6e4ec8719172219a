// SPDX-License-Identifier: Apache-2.0
// A link to an orchestrator that is nothing but lists in memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/file_error.h"
#include "wire/digest.h"
#include "wire/link.h"

namespace espalier::fakes {

// Thread-safe.
class MemoryLink final : public Link {
 public:
  // Called first by every call, with its name: may throw or wait.
  std::function<void(const std::string& call)> before = [](const std::string&) {};
  Welcome welcome{"run", "gold", std::chrono::milliseconds(10)};
  Receipt receipt = Receipt::Accepted;
  std::function<bool(const std::optional<AtWork>&)> is_wanted = [](const auto&) { return true; };

  // Handed out one after another; after the last, the node is dismissed.
  void queue(Pulled pulled) {
    const std::lock_guard guard(mutex_);
    tasks_.push_back(std::move(pulled));
  }
  ObjectRef put(const std::string& bytes) {
    const std::lock_guard guard(mutex_);
    const ObjectRef object = object_of(bytes);
    objects_[object.sha256] = bytes;
    return object;
  }
  std::string object(const ObjectRef& object) const {
    const std::lock_guard guard(mutex_);
    const auto found = objects_.find(object.sha256);
    return found == objects_.end() ? "" : found->second;
  }
  std::vector<TaskResult> results() const {
    const std::lock_guard guard(mutex_);
    return results_;
  }
  std::vector<Hello> hellos() const {
    const std::lock_guard guard(mutex_);
    return hellos_;
  }
  int count(const std::string& call) const {
    const std::lock_guard guard(mutex_);
    const auto found = calls_.find(call);
    return found == calls_.end() ? 0 : found->second;
  }

  Welcome enrol(const Hello& hello, std::stop_token) override {
    begin("enrol");
    const std::lock_guard guard(mutex_);
    hellos_.push_back(hello);
    return welcome;
  }
  Pulled pull(std::chrono::milliseconds, std::stop_token) override {
    begin("pull");
    const std::lock_guard guard(mutex_);
    if (tasks_.empty()) return Dismissal{"the run is over"};
    Pulled next = std::move(tasks_.front());
    tasks_.pop_front();
    return next;
  }
  void fetch(const ObjectRef& object, const std::filesystem::path& to, std::stop_token) override {
    begin("fetch");
    const std::lock_guard guard(mutex_);
    if (!objects_.contains(object.sha256)) throw Error(ErrorCode::NotAllowed, "no such object");
    std::ofstream file(to, std::ios::binary);
    if (!(file << objects_.at(object.sha256)).flush()) throw FileError(to.string() + ": no room");
  }
  void push(const ObjectRef& object, const std::filesystem::path& from, std::stop_token) override {
    begin("push");
    std::ifstream file(from, std::ios::binary);
    if (!file) throw FileError(from.string() + ": not there");
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (object_of(bytes) != object) throw Error(ErrorCode::NotAllowed, "wrong digest");
    const std::lock_guard guard(mutex_);
    objects_[object.sha256] = std::move(bytes);
  }
  Receipt report(const TaskResult& result, std::stop_token) override {
    begin("report");
    const std::lock_guard guard(mutex_);
    results_.push_back(result);
    return receipt;
  }
  bool heartbeat(const std::optional<AtWork>& at, std::stop_token) override {
    begin("heartbeat");
    return is_wanted(at);
  }

 private:
  void begin(const std::string& call) {
    {
      const std::lock_guard guard(mutex_);
      ++calls_[call];
    }
    before(call);
  }

  mutable std::mutex mutex_;
  std::deque<Pulled> tasks_;
  std::map<std::string, std::string> objects_;
  std::vector<TaskResult> results_;
  std::vector<Hello> hellos_;
  std::map<std::string, int> calls_;
};

}  // namespace espalier::fakes
