// SPDX-License-Identifier: Apache-2.0
#include "fitting/fit_parts.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/error.h"
#include "estimation/torch/fit_estimators.h"

namespace espalier {
namespace {

constexpr std::size_t kValidatingShare = 8;  // one in so many
constexpr std::size_t kFewestFamilies = 3;
constexpr std::size_t kRunsForFamilies = 4 * kFewestRuns;

std::size_t left_to_learn(std::size_t runs, std::size_t folds) {
  const std::size_t judging = (runs + folds - 1) / folds;
  const std::size_t rest = runs - judging;
  return rest - (rest + kValidatingShare - 1) / kValidatingShare;
}

Positions chosen(const Positions& all, const Positions& which) {
  Positions result;
  for (const std::size_t i : which) result.push_back(all[i]);
  return result;
}

// Some of the stories, without what happened.
std::vector<RunStory> ids_of(std::span<const RunStory> stories, const Positions& some) {
  std::vector<RunStory> ids;
  for (const std::size_t i : some)
    ids.push_back({.run = stories[i].run, .family = stories[i].family});
  return ids;
}

// deal_folds for some of the stories; it looks at nothing but their ids if none has points.
std::vector<Fold> deal_some(std::span<const RunStory> stories, const Positions& some,
                            const FoldOptions& options) {
  std::vector<Fold> folds = deal_folds(ids_of(stories, some), options);
  for (Fold& fold : folds) fold = {chosen(some, fold.learn), chosen(some, fold.judge)};
  return folds;
}

FitParts parts_of(std::span<const RunStory> stories, const Positions& learn, const Positions& judge,
                  std::uint64_t seed) {
  const FoldOptions options{.count = std::min(kValidatingShare, learn.size()), .seed = seed + 1};
  const Fold split = deal_some(stories, learn, options).front();
  return {split.learn, split.judge, judge};
}

}  // namespace

std::size_t folds_for(std::size_t runs, std::size_t wanted) {
  ESPALIER_CHECK(runs >= kFewestRuns);
  std::size_t folds = std::clamp(wanted, std::size_t{2}, runs);
  while (folds < runs && left_to_learn(runs, folds) < kFewestLearned) ++folds;
  return folds;
}

std::size_t folds_for(std::span<const RunStory> stories, const Positions& usable,
                      std::size_t wanted) {
  const std::size_t folds = folds_for(usable.size(), wanted);
  const std::size_t families = count_families(ids_of(stories, usable));
  if (families < kFewestFamilies || usable.size() < kRunsForFamilies) return folds;
  return std::min(folds, families);
}

std::vector<std::optional<std::size_t>> dealt_families(std::span<const RunStory> stories,
                                                       const Positions& usable, std::size_t folds) {
  std::vector<std::optional<std::size_t>> dealt(stories.size());
  const std::size_t families = count_families(ids_of(stories, usable));
  if (families < folds || families == usable.size()) return dealt;
  std::map<std::string_view, std::size_t> numbers;
  for (const std::size_t i : usable)
    dealt[i] = numbers.try_emplace(stories[i].family, numbers.size()).first->second;
  return dealt;
}

std::vector<FitParts> deal_parts(std::span<const RunStory> stories, const Positions& usable,
                                 const FoldOptions& options) {
  std::vector<FitParts> parts;
  for (const Fold& fold : deal_some(stories, usable, options))
    parts.push_back(parts_of(stories, fold.learn, fold.judge, options.seed));
  parts.push_back(parts_of(stories, usable, {}, options.seed));
  return parts;
}

}  // namespace espalier
