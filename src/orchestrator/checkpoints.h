// SPDX-License-Identifier: Apache-2.0
// Networks of a run that are kept: after each of the last two epochs, and the best one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "wire/link.h"

namespace espalier {

// Owned by one thread.
class Checkpoints {
 public:
  explicit Checkpoints(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Called in the middle of writing: for tests that kill the process there.
  void set_hook(std::function<void()> hook) { hook_ = std::move(hook); }

  // Copies the network from the store: complete, or not there. Drops those before the last two.
  // Throws Error{RunFailed}.
  void keep(const ObjectStore& store, int epochs, const ObjectRef& network, bool is_best);

  // Whether the file is there with exactly these bytes.
  bool has(int epochs, const ObjectRef& network) const;
  // Puts it back into the store. REQUIRES: has().
  void restore(ObjectStore& store, int epochs, const ObjectRef& network) const;

  std::filesystem::path file(int epochs) const;
  std::filesystem::path best() const { return folder_ / "best.safetensors"; }

 private:
  void copy(const ObjectStore& store, const ObjectRef& network,
            const std::filesystem::path& to) const;
  void drop_older(int epochs) const;

  std::filesystem::path folder_;
  std::function<void()> hook_;
};

}  // namespace espalier
