// SPDX-License-Identifier: Apache-2.0
// From rows of traces to stories: for each run everything that happened to its network, told from
// the beginning, also what the runs that it grew from did (experiments/run_id.h). A row is learnt
// from once, in the story of its own run; in the stories of later runs it is what came before.
//
// Traces may also come from elsewhere: runs with plain names have nothing before them, epochs may
// be missing, losses may be no numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace.h"
#include "estimation/estimators.h"
#include "estimation/examples.h"

namespace espalier {

// One loss of a network, and under what it was observed. A change of the network and its hand-over,
// with nothing trained in between, are one point: the loss after both.
struct StoryPoint {
  double loss = 0;
  int epoch = 0;
  Conditions now{};
  std::size_t stage = 0;  // the point at which these conditions began
  bool is_own = false;    // of the run itself, not of what came before it
  bool is_epoch = false;  // an epoch was trained; otherwise the network is fresh, or was changed
  bool is_guess = false;  // nobody saw it: between its neighbours
};

struct RunStory {
  std::string run{};
  // Runs of one family began with the same network: those with the same seed. A run with a plain
  // name is a family of its own.
  std::string family{};
  std::vector<StoryPoint> points{};
  std::vector<ChangeExample> changes{};  // its own
};

// What could not be learnt from.
struct Leftovers {
  std::size_t lost_losses = 0;     // rows whose loss is not finite
  std::size_t missing_epochs = 0;  // between a run's first and last
  std::size_t cut_beginnings = 0;  // runs that grew from runs which are not there
  std::size_t lone_changes = 0;    // prunings without the loss before them
};

struct TraceStories {
  std::vector<RunStory> runs{};  // in the order of their ids
  Leftovers leftovers{};
  std::size_t rows = 0;
};

// A gap of missing epochs is bridged up to this length. What is before a longer one is forgotten.
inline constexpr int kLongestGap = 100;

struct StoryOptions {
  // Points of all stories together: a bound on memory, about 1 GB.
  std::size_t most_points = 20'000'000;
};

// The order of the rows does not matter. Throws Error{BadInput} if there would be too many points,
// because very many runs grow from very long ones.
TraceStories tell_stories(const std::vector<TraceRow>& rows, const StoryOptions& options = {});

}  // namespace espalier
