// SPDX-License-Identifier: Apache-2.0
// Runs that are watched, for machines.
#pragma once

#include <string>

#include "render/json.h"
#include "watching/run_story.h"

namespace espalier {

// "plan", "epoch", "node", "remark", "end", "resume".
const char* kind_of(const NewsContent& what);

// One line of JSON.
std::string news_line(const RunNews& news);

// A run in a list of them.
Json run_summary_json(const WatchedStory& story);

// The whole run so far: one JSON document. Epochs are told by columns, as there may be thousands.
std::string run_document(const WatchedStory& story);
Json run_json(const WatchedStory& story);

// "running", "interrupted", "reached", "missed", "stopped", "failed".
const char* state_of(const WatchedStory& story);

}  // namespace espalier
