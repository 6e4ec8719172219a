// SPDX-License-Identifier: Apache-2.0
// What a run's folder holds for people and tools besides the journal. All of it follows from the
// journal, and is written again when a run is resumed.
#pragma once

#include <span>
#include <string>

#include "orchestrator/run_directory.h"
#include "orchestrator/run_state.h"

namespace espalier {

// One line for each epoch, with a header.
std::string metrics_text(const RunSetup& setup, const RunState& state);
void write_metrics(const RunDirectory& directory, const RunSetup& setup, const RunState& state);

// The plan that follows the plans so far, with all its steps.
std::string plan_text_json(const RunSetup& setup, const RunState& state, const PlanResult& result);
void write_plan(const RunDirectory& directory, const RunSetup& setup, const RunState& state,
                const PlanResult& result);

// Events that are in the journal by now.
void append_events(const RunDirectory& directory, std::span<const RunEvent> events);

// All that follows from the state, and the events of the journal.
void write_run_files(const RunDirectory& directory, const RunSetup& setup, const RunState& state);

}  // namespace espalier
