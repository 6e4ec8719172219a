// SPDX-License-Identifier: Apache-2.0
// The folder of a run: all that it was, is and came to, in one place.
//
//   scenario.yaml    as it is run
//   run.json         seed, strategy, options, who made it where and when
//   fitted           the estimators, where there are some
//   journal.db       every event; journal.db.head tells how many
//   plans/0007.json  every plan: of the 8th time that the strategy was asked
//   metrics.csv      one line for each epoch
//   events.jsonl     the journal, for people and tools
//   models/          networks: epoch-0007.safetensors, the last two, and best.safetensors
//   objects/         networks and updates on their way
//   agents/          what nodes on the same machine say
//   report.html      the dashboard's view of the run, when it is over
//   lock             held while somebody carries the run on
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace espalier {

// Immutable.
class RunDirectory {
 public:
  explicit RunDirectory(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path scenario() const { return root_ / "scenario.yaml"; }
  std::filesystem::path settings() const { return root_ / "run.json"; }
  std::filesystem::path fitted() const { return root_ / "fitted"; }
  std::filesystem::path journal() const { return root_ / "journal.db"; }
  std::filesystem::path plan(std::size_t number) const;
  std::filesystem::path metrics() const { return root_ / "metrics.csv"; }
  std::filesystem::path events() const { return root_ / "events.jsonl"; }
  std::filesystem::path models() const { return root_ / "models"; }
  std::filesystem::path objects() const { return root_ / "objects"; }
  std::filesystem::path agents() const { return root_ / "agents"; }
  std::filesystem::path report() const { return root_ / "report.html"; }
  std::filesystem::path lock() const { return root_ / "lock"; }

  // Makes the folders. Throws Error{RunFailed}.
  void make() const;
  bool holds_run() const;
  // Whoever can plant a link anywhere in it could have other files read or written. Throws
  // Error{BadInput}.
  void refuse_links() const;

 private:
  std::filesystem::path root_;
};

// "runs/NAME-1", or the next number that is free. Not made yet.
RunDirectory new_run_directory(const std::string& name);
// The newest one in "runs". Throws Error{BadInput} if there is none.
RunDirectory latest_run_directory();
// `named`, or the newest one if that is empty. Throws Error{BadInput} if it holds no run, or links.
RunDirectory run_directory_of(const std::string& named);

// One orchestrator at a time: held while it lives, also given up when the process is killed.
class RunLock {
 public:
  // Throws Error{NotAllowed} if somebody else has it.
  explicit RunLock(const RunDirectory& directory);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

// The process that carries the run on; nothing if none does.
std::optional<pid_t> holder_of(const RunDirectory& directory);

}  // namespace espalier
