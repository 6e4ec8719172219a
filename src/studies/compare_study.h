// SPDX-License-Identifier: Apache-2.0
// Which strategies are compared where nobody names them, and what has to be said beside the
// figures.
#pragma once

#include <string>
#include <vector>

#include "studies/comparing.h"

namespace espalier {

// Enumeration is for tiny cases: only where it is asked for. Promises are for where there is luck,
// and where there is data to choose from, those who cannot are left out.
std::vector<const Strategy*> usual_strategies(const ComparePoint& point);

// Where the truth comes from, what the optimum is, and who does not decide anew.
std::vector<std::string> compare_notes(const Environment& environment, const LuckOptions& luck,
                                       const std::vector<const Strategy*>& strategies);

// What was simulated at a point. Borrows it.
Simulated simulated_at(const ComparePoint& point, const CompareWork& work,
                       std::vector<std::string> notes);

// Of a comparison that was stopped, only what had a turn is kept; a note says so.
void drop_without_run(Comparison& comparison, std::vector<std::string>& notes);

}  // namespace espalier
