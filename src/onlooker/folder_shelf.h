// SPDX-License-Identifier: Apache-2.0
// The runs in a folder. Nothing in it is changed, and nobody who carries a run on notices.
#pragma once

#include <filesystem>
#include <functional>

#include "orchestrator/run_directory.h"
#include "orchestrator/run_setup.h"
#include "watching/run_feed.h"

namespace espalier {

struct ReadableRun {
  RunSetup setup;
  std::string strategy;
};

// Throws Error{BadInput} where something is missing or damaged.
using LoadReadableRun = std::function<ReadableRun(const RunDirectory&)>;

// Thread-safe as far as `load` is.
class FolderShelf final : public RunShelf {
 public:
  // The folder need not be there yet.
  FolderShelf(std::filesystem::path root, LoadReadableRun load);

  std::vector<std::string> names() override;
  std::unique_ptr<RunFeed> open(const std::string& name) override;

 private:
  std::filesystem::path root_;
  LoadReadableRun load_;
};

}  // namespace espalier
