// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watching/run_feed.h"

namespace espalier {

// Where there are no runs to watch.
class NoRuns final : public RunShelf {
 public:
  std::vector<std::string> names() override { return {}; }
  std::unique_ptr<RunFeed> open(const std::string&) override { return nullptr; }
};

}  // namespace espalier
