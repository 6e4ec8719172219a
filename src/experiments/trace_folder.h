// SPDX-License-Identifier: Apache-2.0
// The folder of a collection: what each run was observed to do, and networks to go on from.
//
//   lock                            held while somebody collects
//   setup                           what was trained, and how
//   scenario.yaml                   for the trainers
//   runs/1/on-gold/trace.csv        a run; its id is its place
//   runs/1/on-gold/after-5.safetensors   its network after 5 steps
//   runs/1/on-gold/5x0.5/…          what grows from it
//   traces.csv                      all runs
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "experiments/branch_record.h"

namespace espalier {

// Thread-compatible. Everything throws Error{RunFailed} where the disk does not play along.
class TraceFolder {
 public:
  explicit TraceFolder(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path file(const std::string& name) const { return root_ / name; }

  // Empty if nothing is known. Throws Error{BadInput} if the file is damaged or not about it.
  BranchRecord record_of(const Branch& branch) const;
  void keep_record(const Branch& branch, const BranchRecord& record) const;

  // The steps after which a network is there.
  std::set<int> networks_of(const std::string& run) const;
  std::filesystem::path network_file(const std::string& run, int step) const;
  void drop_network(const std::string& run, int step) const;
  // Makes the folder of a run, and clears away what a killed process left half written in it.
  void prepare(const std::string& run) const;

 private:
  std::filesystem::path folder_of(const std::string& run) const;

  std::filesystem::path root_;
};

// One collector at a time: held while it lives, also given up when the process is killed.
class FolderLock {
 public:
  // Makes the folder if need be. Throws Error{NotAllowed} if somebody else has it.
  explicit FolderLock(const TraceFolder& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace espalier
