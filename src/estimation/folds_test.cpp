// SPDX-License-Identifier: Apache-2.0
#include "estimation/folds.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/synthetic_traces.h"

namespace espalier {
namespace {

// A trunk with 20 prunings, each handed over.
std::vector<RunStory> bushy_tree() {
  auto rows = fresh_run("1/gold", CurveSource(1).losses(0, 20));
  for (int k = 1; k <= 20; ++k) {
    const std::string pruned = fmt::format("1/gold/{}x0.5", k);
    rows.push_back(trace_row(pruned, k, 2, TraceEvent::Prune));
    rows.push_back(trace_row(pruned + "/silver", k, 2, TraceEvent::HandOver));
    rows.push_back(trace_row(pruned + "/silver", k + 1, 1));
  }
  return tell_stories(rows).runs;
}

TEST(Folds, LetEachRunJudgeOnceAndNeverLearnFromItself) {
  const auto stories = bushy_tree();
  std::multiset<std::size_t> judges;
  for (const Fold& fold : deal_folds(stories)) {
    judges.insert(fold.judge.begin(), fold.judge.end());
    EXPECT_EQ(fold.learn.size() + fold.judge.size(), stories.size());
    for (const std::size_t story : fold.judge)
      EXPECT_FALSE(std::binary_search(fold.learn.begin(), fold.learn.end(), story));
  }
  EXPECT_EQ(judges.size(), stories.size());
  EXPECT_EQ(std::set<std::size_t>(judges.begin(), judges.end()).size(), stories.size());
}

TEST(Folds, GetTheirShareOfPrunings) {
  const auto stories = bushy_tree();
  for (const Fold& fold : deal_folds(stories)) {
    const auto prunings = std::count_if(fold.judge.begin(), fold.judge.end(),
                                        [&](std::size_t i) { return !stories[i].changes.empty(); });
    EXPECT_EQ(prunings, 4);
  }
}

TEST(Folds, KeepFamiliesTogetherWhereThereAreEnough) {
  std::vector<TraceRow> rows;
  for (int seed = 1; seed <= 5; ++seed) {
    for (const char* nodes : {"gold", "silver"}) {
      const auto run = fresh_run(fmt::format("{}/{}", seed, nodes), {2, 1});
      rows.insert(rows.end(), run.begin(), run.end());
    }
  }
  const auto stories = tell_stories(rows).runs;
  for (const Fold& fold : deal_folds(stories, {.count = 5})) {
    ASSERT_EQ(fold.judge.size(), 2u);
    EXPECT_EQ(stories[fold.judge[0]].family, stories[fold.judge[1]].family);
  }
  std::size_t apart = 0;
  for (const Fold& fold : deal_folds(stories, {.count = 6})) apart += fold.judge.size() == 1;
  EXPECT_GT(apart, 0u) << "six folds, five families";
}

TEST(Folds, DependOnTheSeedAndNothingElse) {
  auto stories = bushy_tree();
  const auto folds = deal_folds(stories, {.seed = 7});
  EXPECT_EQ(folds[0].judge, deal_folds(stories, {.seed = 7})[0].judge);
  EXPECT_NE(folds[0].judge, deal_folds(stories, {.seed = 8})[0].judge);

  const auto judges = [&](const std::vector<Fold>& dealt) {
    std::set<std::string> ids;
    for (const std::size_t i : dealt[0].judge) ids.insert(stories[i].run);
    return ids;
  };
  const std::set<std::string> ids = judges(folds);
  std::reverse(stories.begin(), stories.end());
  const std::set<std::string> again = judges(deal_folds(stories, {.seed = 7}));
  EXPECT_EQ(ids, again) << "whatever order the stories are in";
}

TEST(Folds, NeedARunEach) {
  const auto stories = tell_stories(fresh_run("a", {2, 1})).runs;
  EXPECT_THROW(deal_folds(stories), Error);
  EXPECT_THROW(deal_folds(stories, {.count = 1}), Error);
}

}  // namespace
}  // namespace espalier
