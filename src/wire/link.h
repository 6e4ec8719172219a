// SPDX-License-Identifier: Apache-2.0
// The role of what lies between nodes and orchestrator, seen from either end. Nodes dial out: an
// orchestrator never calls one.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "wire/names.h"
#include "wire/task.h"

namespace espalier {

// What a node tells about itself when it comes, and comes back.
struct Hello {
  std::string nodes;  // the node set that it wants to be of; empty: as the orchestrator says
  std::int64_t samples = 0;
  int classes = 0;   // of its data set: the largest label is less
  int channels = 0;  // these three: the shape of its images
  int height = 0;
  int width = 0;
  std::string
      incarnation;      // another one for each process: two of them under one name are told apart
  std::string program;  // name and version, for the journal
};

// What it is told in return.
struct Welcome {
  std::string run;
  std::string nodes;
  std::chrono::milliseconds heartbeat{2000};  // how often to tell that it is alive
};

// What a node is at, and how much of it is done.
struct AtWork {
  AtWork(TaskId which, double share = 0) : task(std::move(which)), done(share) {}
  TaskId task;
  double done = 0;  // 0 to 1
};

// What a waiting node gets. Nothing: ask again.
struct Nothing {};
struct Dismissal {  // do not ask again
  std::string reason;
};
using Pulled = std::variant<Nothing, Task, Dismissal>;

// What became of a result. All but Accepted: nothing will come of it, and nobody needs to send it
// again.
enum class Receipt { Accepted, Duplicate, Late, Unselected, Malformed };

// A node's connection. Calls block until they are answered, `stop` is asked for, or what is behind
// gives up. Throws Error: NotAllowed where the other side refuses (certificate, name, revocation,
// another process of the same name), RunFailed where it is not to be reached; whoever calls waits
// and tries again. FileError where the file to fetch or push cannot be written or read here: trying
// again would end the same. `heartbeat` may be called by another thread than the rest.
class Link {
 public:
  virtual ~Link() = default;
  virtual Welcome enrol(const Hello& hello, std::stop_token stop) = 0;
  virtual Pulled pull(std::chrono::milliseconds wait, std::stop_token stop) = 0;
  // To a file, complete and with the right digest, or not there. What came before a link broke is
  // kept beside it and not fetched again.
  virtual void fetch(const ObjectRef& object, const std::filesystem::path& to,
                     std::stop_token stop) = 0;
  // Returns once it is safe on the other side. Begins where the last attempt ended.
  virtual void push(const ObjectRef& object, const std::filesystem::path& from,
                    std::stop_token stop) = 0;
  virtual Receipt report(const TaskResult& result, std::stop_token stop) = 0;
  // Tells that it is alive, and which task it is at. False: nobody waits for that one any more.
  virtual bool heartbeat(const std::optional<AtWork>& at, std::stop_token stop) = 0;
};

// Where objects are kept on the orchestrator's side: files below one folder. Thread-safe.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  virtual bool has(const ObjectRef& object) const = 0;
  // `bytes` at most, from `offset` on. Throws Error{NotAllowed} for what is not there.
  virtual std::string read(const ObjectRef& object, std::uint64_t offset,
                           std::size_t bytes) const = 0;
  // The same, to where `room` is. Returns how many there were.
  virtual std::size_t read(const ObjectRef& object, std::uint64_t offset,
                           std::span<char> room) const = 0;
  // How much of it is here; all of it once it is complete.
  virtual std::uint64_t received(const ObjectRef& object) const = 0;
  // REQUIRES for bytes to count: offset == received(object); others are ignored. Returns
  // received(). When it is complete its digest is compared and it is flushed to the disk;
  // Error{NotAllowed} and nothing left behind where the digest is wrong.
  virtual std::uint64_t append(const ObjectRef& object, std::uint64_t offset,
                               std::string_view bytes) = 0;
  // Nobody needs it any more. Whoever is reading it reads on or is refused.
  virtual void drop(const ObjectRef& object) = 0;
  // Nor any other, nor what has come of them.
  virtual void keep_only(const ObjectRef& object) = 0;
};

// Who calls: the name in the certificate, and which of the processes of that name it is.
struct Visitor {
  NodeName node;
  std::string incarnation;
};

// The orchestrator as its server sees it. Answers may
// come later, from another thread, exactly once each. Thread-safe; no call blocks. Throws
// Error{NotAllowed} for nodes and objects that have no business here.
class Desk {
 public:
  virtual ~Desk() = default;
  virtual Welcome enrol(const Visitor& who, const Hello& hello) = 0;
  virtual void pull(const Visitor& who, std::chrono::milliseconds wait,
                    std::function<void(Pulled)> answer) = 0;
  virtual void report(const Visitor& who, const TaskResult& result,
                      std::function<void(Receipt)> answer) = 0;
  // Whether the task that it is at is still wanted; true where it is at none.
  virtual bool heartbeat(const Visitor& who, const std::optional<AtWork>& at) = 0;
  // Whether this node may have or send that object now.
  virtual bool may_fetch(const Visitor& who, const ObjectRef& object) const = 0;
  virtual bool may_push(const Visitor& who, const ObjectRef& object) const = 0;
  virtual ObjectStore& objects() = 0;
};

}  // namespace espalier
