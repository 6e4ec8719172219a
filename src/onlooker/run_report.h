// SPDX-License-Identifier: Apache-2.0
// The last page of a run, to be kept and sent around.
#pragma once

#include <filesystem>
#include <string>

#include "onlooker/folder_shelf.h"
#include "watching/run_story.h"

namespace espalier {

// All that the journal tells. Throws Error.
WatchedStory story_of(const RunDirectory& directory, const ReadableRun& run);

// Writes report.html into the run's folder: the dashboard's view of it, in one file, or a plain one
// where the program was built without the dashboard's page. Throws Error.
void write_report(const RunDirectory& directory, const ReadableRun& run);

}  // namespace espalier
