// SPDX-License-Identifier: Apache-2.0
// The role of whatever runs are watched through: a folder of journals, or a play in a test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "watching/run_news.h"

namespace espalier {

// One run, whether it goes on or is over. Owned by one thread.
class RunFeed {
 public:
  virtual ~RunFeed() = default;
  virtual RunHead head() = 0;
  // News with greater ids, oldest first; none if there are none yet.
  virtual std::vector<RunNews> after(std::int64_t id) = 0;
  // Whether somebody is at work on it; a run that nobody carries on may still be resumed.
  virtual bool is_carried_on() { return true; }
};

// Thread-safe.
class RunShelf {
 public:
  virtual ~RunShelf() = default;
  // Names of the runs, the newest first. Throws Error{BadInput} if the place cannot be read.
  virtual std::vector<std::string> names() = 0;
  // Null if there is no run of that name. Throws Error{BadInput} if it cannot be read.
  virtual std::unique_ptr<RunFeed> open(const std::string& name) = 0;
};

}  // namespace espalier
