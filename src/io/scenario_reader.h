// SPDX-License-Identifier: Apache-2.0
// Turns a document into a scenario, section by section.
#pragma once

#include "core/scenario.h"
#include "io/document.h"
#include "io/report.h"

namespace espalier {

// Everything that can be said by looking at one section at a time is reported. The scenario is
// meaningful only if there are no errors; its lists are then in the order of the document's.
Scenario read_scenario_tree(const DocumentNode& root, Report& report);

}  // namespace espalier
