// SPDX-License-Identifier: Apache-2.0
// Puts questions about runs to estimators that have not seen these runs.
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>

#include "estimation/trace_stories.h"
#include "fitting/answers.h"

namespace espalier {

// The estimators of one fold.
struct RunVoices {
  Ahead naive;
  Ahead rule;
  Ahead network;
};

struct AskOptions {
  // Every how many epochs of a run somebody is asked.
  std::size_t every = 1;
  std::stop_token stop{};
};

// Answers of one story at all horizons that its losses reach; blended and calibrated ones are left
// empty.
void ask_about(const RunStory& story, const RunVoices& voices, const HeldOut& about,
               const AskOptions& options, AnswersAhead& answers);

// With which memory and time stay bounded, whatever the traces are.
std::size_t affordable_every(std::span<const RunStory> stories);

}  // namespace espalier
