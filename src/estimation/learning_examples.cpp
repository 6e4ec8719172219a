// SPDX-License-Identifier: Apache-2.0
#include "estimation/learning_examples.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

bool is_target(const StoryPoint& point) {
  return point.is_own && point.is_epoch && !point.is_guess;
}

bool is_beginning(const StoryPoint& point) { return point.is_own && !point.is_guess; }

std::vector<double> losses_after(const RunStory& story, std::size_t position, std::size_t most) {
  std::vector<double> next;
  for (std::size_t i = position + 1; i < story.points.size() && next.size() < most; ++i) {
    const StoryPoint& point = story.points[i];
    if (!is_target(point) || point.stage != story.points[position].stage) break;
    next.push_back(point.loss);
  }
  return next;
}

History history_at(const RunStory& story, std::size_t position) {
  History history{.losses = {}, .now = story.points[position].now};
  history.stage = story.points[position].stage;
  history.losses.reserve(position + 1);
  for (std::size_t i = 0; i <= position; ++i) history.losses.push_back(story.points[i].loss);
  return history;
}

std::size_t end_of_stage(const RunStory& story, std::size_t position) {
  const std::size_t stage = story.points[position].stage;
  while (position < story.points.size() && story.points[position].stage == stage) ++position;
  return position;
}

// Up to `end`, learnt from `first` on.
RunSequence sequence_of(const RunStory& story, std::size_t first, std::size_t end) {
  RunSequence sequence{.losses = {}, .now = story.points[first].now};
  sequence.stage = story.points[first].stage;
  sequence.first = first;
  for (std::size_t i = 0; i < end; ++i) {
    sequence.losses.push_back(story.points[i].loss);
    sequence.guessed.push_back(story.points[i].is_guess);
  }
  if (std::ranges::find(sequence.guessed, true) == sequence.guessed.end()) sequence.guessed.clear();
  return sequence;
}

// Counts with double numbers, which do not overflow.
double losses_in_examples(const RunStory& story, std::size_t every) {
  const auto length = static_cast<double>(story.points.size());
  return length * length / static_cast<double>(every);
}

std::string leftovers_text(const Leftovers& leftovers) {
  return fmt::format("{} losses are no finite numbers, {} epochs are missing",
                     leftovers.lost_losses, leftovers.missing_epochs);
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::BadInput, what, hint);
}

void require_rows(const TraceStories& stories) {
  if (stories.rows == 0) refuse("the traces have no rows", "collect some: espalier collect");
}

}  // namespace

std::vector<RunExample> run_examples(const RunStory& story, const ExampleOptions& options) {
  ESPALIER_CHECK(options.every > 0);
  std::vector<RunExample> examples;
  std::size_t beginnings = 0;
  for (std::size_t i = 0; i < story.points.size(); ++i) {
    if (!is_beginning(story.points[i]) || beginnings++ % options.every != 0) continue;
    std::vector<double> next = losses_after(story, i, options.ahead);
    if (!next.empty()) examples.push_back({history_at(story, i), std::move(next)});
  }
  return examples;
}

std::vector<RunSequence> run_sequences(const RunStory& story) {
  std::vector<RunSequence> sequences;
  for (std::size_t i = 0; i < story.points.size(); ++i) {
    if (!story.points[i].is_own) continue;
    const std::size_t end = end_of_stage(story, i);
    sequences.push_back(sequence_of(story, i, end));
    i = end - 1;
  }
  return sequences;
}

bool has_run_example(const RunStory& story) {
  for (std::size_t i = 0; i < story.points.size(); ++i) {
    if (is_beginning(story.points[i]) && !losses_after(story, i, 1).empty()) return true;
  }
  return false;
}

std::size_t sparing_every(std::span<const RunStory> stories, std::size_t most_losses) {
  for (std::size_t every = 1;; every *= 2) {
    double losses = 0;
    for (const RunStory& story : stories) losses += losses_in_examples(story, every);
    const bool has_several =
        std::any_of(stories.begin(), stories.end(),
                    [&](const RunStory& story) { return story.points.size() > every; });
    if (losses <= static_cast<double>(most_losses) || !has_several) return every;
  }
}

void require_run_examples(const TraceStories& stories, std::size_t runs) {
  require_rows(stories);
  const auto found = static_cast<std::size_t>(
      std::count_if(stories.runs.begin(), stories.runs.end(), has_run_example));
  if (found >= runs && found > 0) return;
  const std::string hint = leftovers_text(stories.leftovers) + "; collect longer runs";
  if (found == 0) {
    refuse(
        "no run has two epochs with a finite loss that follow each other; without them nobody can "
        "see how a loss goes on",
        hint);
  }
  refuse(fmt::format("{} of {} runs have epochs that follow each other; at least {} are needed",
                     found, stories.runs.size(), runs),
         hint);
}

void require_change_examples(const TraceStories& stories, std::size_t runs) {
  require_rows(stories);
  const auto has_change = [](const RunStory& story) { return !story.changes.empty(); };
  const auto found =
      static_cast<std::size_t>(std::count_if(stories.runs.begin(), stories.runs.end(), has_change));
  if (found >= runs && found > 0) return;
  refuse(fmt::format("{} runs have a row with the event prune and the loss before it; at least {} "
                     "{} needed to learn what pruning does",
                     found, std::max<std::size_t>(1, runs), runs > 1 ? "are" : "is"),
         fmt::format("{} prunings lack the loss before them, {}", stories.leftovers.lone_changes,
                     leftovers_text(stories.leftovers)));
}

}  // namespace espalier
