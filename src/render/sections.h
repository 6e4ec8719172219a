// SPDX-License-Identifier: Apache-2.0
// The parts that every page for people is made of.
#pragma once

#include <string>
#include <vector>

#include "render/ink.h"
#include "render/plan_report.h"

namespace espalier {

// "smart-factory · exact · expected estimates" and the goal.
std::string heading(const Planned& planned, Estimator estimator, const Ink& ink);
// The name of a scenario and what is done with it, and the goal.
std::string title(const Scenario& scenario, const Goal& goal, const std::string& what,
                  const Ink& ink);
std::string verdict_line(const std::string& text, Style style, const Ink& ink);

// A blank line, then one line for each note or command; nothing if there are none.
std::string notes_text(const std::vector<std::string>& notes, const Ink& ink);
std::string next_text(const std::vector<std::string>& commands, const Ink& ink);

}  // namespace espalier
