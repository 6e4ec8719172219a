// SPDX-License-Identifier: Apache-2.0
#include "fitting/run_asking.h"

#include <algorithm>

#include "estimation/learning_examples.h"

namespace espalier {
namespace {

// Histories that are read, and questions that are kept with all their answers.
constexpr std::size_t kMostLossesRead = 40'000'000;
constexpr std::size_t kMostQuestions = 100'000;
// Histories that are held in memory at once.
constexpr std::size_t kAskedAtOnce = 256;

// The same places as run_examples, with the epoch of each.
std::vector<int> epochs_of(const RunStory& story, std::span<const RunExample> examples) {
  std::vector<int> epochs;
  for (const RunExample& example : examples)
    epochs.push_back(story.points[example.history.losses.size() - 1].epoch);
  return epochs;
}

std::size_t farthest(std::span<const RunExample> examples) {
  std::size_t most = 0;
  for (const RunExample& example : examples) most = std::max(most, example.next.size());
  return most;
}

struct AllSaid {
  std::vector<LossesAhead> naive;
  std::vector<LossesAhead> rule;
  std::vector<LossesAhead> network;

  Said at(std::size_t question, std::size_t epoch) const {
    Said said{};
    said[position_of(Voice::Naive)] = naive[question][epoch];
    said[position_of(Voice::Rule)] = rule[question][epoch];
    said[position_of(Voice::Network)] = network[question][epoch];
    return said;
  }
};

AllSaid ask_all(std::span<const RunExample> examples, const RunVoices& voices) {
  std::vector<History> histories;
  for (const RunExample& example : examples) histories.push_back(example.history);
  const std::size_t epochs = farthest(examples);
  return {voices.naive(histories, epochs), voices.rule(histories, epochs),
          voices.network(histories, epochs)};
}

void ask_some(std::span<const RunExample> examples, std::span<const int> epochs,
              const RunVoices& voices, HeldOut about, AnswersAhead& answers) {
  const AllSaid said = ask_all(examples, voices);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    about.epoch = epochs[i];
    about.stage = examples[i].history.stage;
    about.from = examples[i].history.losses.back();
    for (std::size_t h = 0; h < kHorizons.size() && kHorizons[h] <= examples[i].next.size(); ++h) {
      about.came = examples[i].next[kHorizons[h] - 1];
      about.said = said.at(i, kHorizons[h] - 1);
      answers[h].push_back(about);
    }
  }
}

std::size_t own_losses(std::span<const RunStory> stories) {
  std::size_t count = 0;
  for (const RunStory& story : stories)
    count += static_cast<std::size_t>(std::ranges::count_if(story.points, &StoryPoint::is_own));
  return count;
}

}  // namespace

void ask_about(const RunStory& story, const RunVoices& voices, const HeldOut& about,
               const AskOptions& options, AnswersAhead& answers) {
  const std::vector<RunExample> examples =
      run_examples(story, {.ahead = kHorizons.back(), .every = options.every});
  const std::vector<int> epochs = epochs_of(story, examples);
  for (std::size_t i = 0; i < examples.size(); i += kAskedAtOnce) {
    if (options.stop.stop_requested()) return;
    const std::size_t count = std::min(kAskedAtOnce, examples.size() - i);
    ask_some(std::span(examples).subspan(i, count), std::span(epochs).subspan(i, count), voices,
             about, answers);
  }
}

std::size_t affordable_every(std::span<const RunStory> stories) {
  const std::size_t by_count = (own_losses(stories) + kMostQuestions - 1) / kMostQuestions;
  return std::max({std::size_t{1}, by_count, sparing_every(stories, kMostLossesRead)});
}

}  // namespace espalier
