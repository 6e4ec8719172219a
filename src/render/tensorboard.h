// SPDX-License-Identifier: Apache-2.0
// A run for TensorBoard: the content of one file of events.
#pragma once

#include <string>

#include "watching/run_story.h"

namespace espalier {

// Scalars by epoch: loss, energy and time as they came, with what was planned, and the placement
// by its number; texts: what the numbers stand for, where energies come from (their tags say
// whether they are measured), and every plan that changed something.
// `began` is when the run began, in seconds since 1970.
std::string tensorboard_events(const WatchedStory& story, double began);

}  // namespace espalier
