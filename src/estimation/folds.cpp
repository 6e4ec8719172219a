// SPDX-License-Identifier: Apache-2.0
#include "estimation/folds.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

void check_count(std::size_t runs, std::size_t folds) {
  if (folds >= 2 && folds <= runs) return;
  throw Error(ErrorCode::BadInput,
              fmt::format("{} runs cannot be dealt out to {} folds", runs, folds),
              "there must be at least 2 folds, and a run for each");
}

bool trains(const RunStory& story) {
  return std::any_of(story.points.begin(), story.points.end(),
                     [](const StoryPoint& point) { return point.is_own && point.is_epoch; });
}

// Shuffled, those that trained before the others, so that dealing them out one by one is fair.
std::vector<std::size_t> shuffled(std::span<const RunStory> stories, std::uint64_t seed) {
  std::vector<std::size_t> by_id(stories.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::sort(by_id.begin(), by_id.end(),
            [&](std::size_t a, std::size_t b) { return stories[a].run < stories[b].run; });

  struct Card {
    bool is_last;
    std::uint64_t luck;
    std::size_t story;
  };
  const CounterRng rng(seed);
  std::vector<Card> cards;
  for (std::size_t i = 0; i < by_id.size(); ++i)
    cards.push_back({!trains(stories[by_id[i]]), rng.bits({.run = i}), by_id[i]});
  std::sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) {
    return std::tie(a.is_last, a.luck) < std::tie(b.is_last, b.luck);
  });
  std::transform(cards.begin(), cards.end(), by_id.begin(), [](const Card& c) { return c.story; });
  return by_id;
}

}  // namespace

std::vector<Fold> deal_folds(std::span<const RunStory> stories, const FoldOptions& options) {
  check_count(stories.size(), options.count);
  std::vector<std::size_t> fold_of(stories.size());
  std::size_t next = 0;
  for (const std::size_t story : shuffled(stories, options.seed))
    fold_of[story] = next++ % options.count;

  std::vector<Fold> folds(options.count);
  for (std::size_t story = 0; story < stories.size(); ++story) {
    for (std::size_t fold = 0; fold < folds.size(); ++fold) {
      auto& part = fold == fold_of[story] ? folds[fold].judge : folds[fold].learn;
      part.push_back(story);
    }
  }
  return folds;
}

}  // namespace espalier
