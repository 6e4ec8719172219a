// SPDX-License-Identifier: Apache-2.0
// The views of a run as one file that opens from a disk, without a server and without a network.
#pragma once

#include <string>

#include "watching/run_story.h"

namespace espalier {

struct ReportContent {
  std::string title;
  std::string made{};           // "made by espalier 0.1.0 on …"
  std::string scenario_text{};  // as it was run; may be empty
};

// HTML. Where the program was built without its page: a plain one (plain_report.h) that carries the
// same data.
std::string report_page(const ReportContent& content, const WatchedStory& story);

}  // namespace espalier
