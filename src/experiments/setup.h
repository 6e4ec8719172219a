// SPDX-License-Identifier: Apache-2.0
// What the results of training depend on: a folder holds those of one setup only.
#pragma once

#include <map>
#include <string>

#include "core/scenario.h"
#include "experiments/trace_folder.h"

namespace espalier {

// "learning_rate" → "0.001", "nodes.gold.samples" → "45000".
using Setup = std::map<std::string, std::string>;

// REQUIRES: the scenario has `training`.
Setup setup_of(const Scenario& scenario);

// Throws Error{BadInput} if the folder was made with other values. What it does not know yet, such
// as a new node set, is no contradiction.
void check_setup(const Setup& setup, const TraceFolder& folder);
// The same, and the folder remembers what is new.
void keep_setup(const Setup& setup, const TraceFolder& folder);

}  // namespace espalier
