// SPDX-License-Identifier: Apache-2.0
// From traces, what learning curves usually look like: for the first epochs, when a history alone
// says little. An empirical prior: the mean of what each observed stage teaches.
#pragma once

#include <span>

#include "estimation/power_law_estimator.h"
#include "estimation/trace_stories.h"

namespace espalier {

// The first kLongestFit own losses of each stage are looked at. A stage of one loss teaches
// nothing; with few stages, what is learnt stays near the default.
PowerLawExperience learn_experience(std::span<const RunStory> stories);

}  // namespace espalier
