// SPDX-License-Identifier: Apache-2.0
#include "estimation/folds.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
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

// Positions of stories that go to the same fold.
using Hand = std::vector<std::size_t>;

std::vector<Hand> hands_of(std::span<const RunStory> stories, bool by_family) {
  std::map<std::string_view, Hand> hands;
  for (std::size_t i = 0; i < stories.size(); ++i)
    hands[by_family ? stories[i].family : stories[i].run].push_back(i);
  std::vector<Hand> all;
  for (auto& [name, hand] : hands) all.push_back(std::move(hand));
  return all;
}

// Shuffled, those that trained before the others, so that dealing them out one by one is fair.
std::vector<Hand> shuffled(std::vector<Hand> hands, std::span<const RunStory> stories,
                           std::uint64_t seed) {
  struct Card {
    bool is_last;
    std::uint64_t luck;
    std::size_t hand;
  };
  const CounterRng rng(seed);
  std::vector<Card> cards;
  for (std::size_t i = 0; i < hands.size(); ++i) {
    const bool is_last = std::none_of(hands[i].begin(), hands[i].end(),
                                      [&](std::size_t story) { return trains(stories[story]); });
    cards.push_back({is_last, rng.bits({.run = i}), i});
  }
  std::sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) {
    return std::tie(a.is_last, a.luck) < std::tie(b.is_last, b.luck);
  });
  std::vector<Hand> all;
  for (const Card& card : cards) all.push_back(std::move(hands[card.hand]));
  return all;
}

}  // namespace

std::size_t count_families(std::span<const RunStory> stories) {
  std::set<std::string_view> families;
  for (const RunStory& story : stories) families.insert(story.family);
  return families.size();
}

std::vector<Fold> deal_folds(std::span<const RunStory> stories, const FoldOptions& options) {
  check_count(stories.size(), options.count);
  const bool by_family = count_families(stories) >= options.count;
  std::vector<std::size_t> fold_of(stories.size());
  std::size_t next = 0;
  for (const Hand& hand : shuffled(hands_of(stories, by_family), stories, options.seed)) {
    for (const std::size_t story : hand) fold_of[story] = next % options.count;
    ++next;
  }

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
