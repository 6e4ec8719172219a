// SPDX-License-Identifier: Apache-2.0
// What estimators learn from and are judged by: a history, and how it really went on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/examples.h"
#include "estimation/run_sequence.h"
#include "estimation/trace_stories.h"

namespace espalier {

struct ExampleOptions {
  // At most so many next losses.
  std::size_t ahead = kEpochsAhead;
  // Every how many epochs of a run an example begins.
  std::size_t every = 1;
};

// One for each own loss of the run that something follows; what follows is the run's own as well.
std::vector<RunExample> run_examples(const RunStory& story, const ExampleOptions& options = {});

// The same examples as whole curves, which networks are fitted to: one for each stage that has
// losses of the run's own.
std::vector<RunSequence> run_sequences(const RunStory& story);

// Something can be learnt from it of how losses go on.
bool has_run_example(const RunStory& story);

// The least `every` with which the examples of all these stories take at most so many losses of
// memory: a run's examples grow with the square of its length.
std::size_t sparing_every(std::span<const RunStory> stories, std::size_t most_losses);

// Throw Error{BadInput} that says exactly what is missing, unless at least so many runs can be
// learnt from.
void require_run_examples(const TraceStories& stories, std::size_t runs);
void require_change_examples(const TraceStories& stories, std::size_t runs);

}  // namespace espalier
