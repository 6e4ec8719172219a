// SPDX-License-Identifier: Apache-2.0
// Which data each node set learns from.
#pragma once

#include <functional>
#include <vector>

#include "core/problem.h"

namespace espalier {

// Every selection that may be the best: an option for each node set, or, where data costs something
// once, none. Empty if there are more than `most`.
std::vector<DataSelection> all_selections(const Problem& problem, std::size_t most);

// Problem.    Too many selections to try them all.
// Idea.       Begin with every set's first option and change one set at a time, always by the
// change
//             that saves most, while that saves anything.
// `energy_of` gives the energy with a selection, infinite where the goal cannot be reached.
std::vector<DataSelection> promising_selections(
    const Problem& problem, const std::function<double(const DataSelection&)>& energy_of);

// Whether a plan could choose among data at all.
bool has_data_choice(const Problem& problem);

}  // namespace espalier
