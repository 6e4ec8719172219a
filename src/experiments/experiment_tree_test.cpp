// SPDX-License-Identifier: Apache-2.0
#include "experiments/experiment_tree.h"

#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "experiments/paper_grid.h"
#include "experiments/run_id.h"

namespace espalier {
namespace {

// The obvious way: every experiment is written down step by step, as text that grows; what has the
// same beginning has the same text.
struct BruteForce {
  std::set<std::string> experiments;
  std::set<std::string> epochs;    // everything that was done up to and with some epoch
  std::set<std::string> prunings;  // the same with a pruning last
  std::int64_t epochs_separately = 0;

  void train(std::string& history, NodeSetId nodes, int count, bool tells) {
    for (int i = 0; i < count; ++i) {
      history += fmt::format("|{}", nodes.index);
      if (tells) epochs.insert(history);
    }
  }

  void make(const CollectSpec& grid, const std::vector<NodeSetId>& sequence, std::string history,
            std::size_t position, std::int64_t length) {
    if (position + 1 == sequence.size()) {
      train(history, sequence[position], grid.last_epochs, true);
      if (experiments.insert(history).second) epochs_separately += length + grid.last_epochs;
      return;
    }
    const auto at = [position](const auto& lists) {
      return lists[std::min(position, lists.size() - 1)];
    };
    for (const int count : at(grid.switch_epochs)) {
      for (const double ratio : at(grid.ratios)) {
        std::string longer = history;
        train(longer, sequence[position], count, true);
        longer += fmt::format("|x{}", ratio);
        prunings.insert(longer);
        make(grid, sequence, longer, position + 1, length + count);
      }
    }
  }

  explicit BruteForce(const CollectSpec& grid) {
    for (const std::uint64_t seed : grid.seeds) {
      for (const auto& sequence : grid.sequences)
        make(grid, sequence, fmt::format("{}", seed), 0, 0);
    }
  }
};

CollectSpec random_grid(unsigned seed) {
  std::mt19937 random(seed);
  const auto up_to = [&](unsigned most) { return static_cast<int>(random() % most); };
  CollectSpec grid{.seeds = {1, 2},
                   .sequences = {},
                   .switch_epochs = {},
                   .ratios = {},
                   .last_epochs = 1 + up_to(6)};
  for (int i = 0; i < 1 + up_to(4); ++i) {
    std::vector<NodeSetId> sequence;
    for (int k = 0; k < 1 + up_to(4); ++k) sequence.push_back({up_to(3)});
    grid.sequences.push_back(sequence);
  }
  for (int i = 0; i < 1 + up_to(3); ++i) {
    std::set<int> epochs;
    for (int k = 0; k < 1 + up_to(3); ++k) epochs.insert(1 + up_to(7));
    grid.switch_epochs.emplace_back(epochs.begin(), epochs.end());
    grid.ratios.push_back(up_to(2) == 0 ? std::vector<double>{0.5}
                                        : std::vector<double>{0.25, 0.75});
  }
  return grid;
}

TEST(ExperimentTree, CountsWhatBruteForceCounts) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const CollectSpec grid = random_grid(seed);
    const ExperimentTree tree = grow_tree(grid, kPaperNodeSets);
    const BruteForce brute(grid);
    const auto prunings =
        std::count_if(tree.branches.begin(), tree.branches.end(),
                      [](const Branch& b) { return b.kind == Branch::Kind::Pruning; });
    EXPECT_EQ(tree.experiments.size(), brute.experiments.size()) << seed;
    EXPECT_EQ(tree.epochs_separately(), brute.epochs_separately) << seed;
    EXPECT_EQ(tree.epochs_shared(), static_cast<std::int64_t>(brute.epochs.size())) << seed;
    EXPECT_EQ(prunings, static_cast<std::ptrdiff_t>(brute.prunings.size())) << seed;
  }
}

TEST(ExperimentTree, SavesMoreThanSixtyPerCentOfThePapersEpochs) {
  const ExperimentTree tree = grow_tree(paper_grid(), kPaperNodeSets);
  EXPECT_EQ(tree.experiments.size(), 24U + 288U);
  EXPECT_EQ(tree.epochs_separately(), 36'980);
  EXPECT_EQ(tree.epochs_shared(), 100 + 24 * 100 + 288 * 40);
  EXPECT_GT(tree.saved(), 0.62);
  EXPECT_LT(tree.saved(), 0.63);
}

TEST(ExperimentTree, PrunesOnceForAllWhoGetTheNetwork) {
  const ExperimentTree tree = grow_tree(paper_grid(), kPaperNodeSets);
  const auto prunings_of_the_first = std::count_if(
      tree.branches.begin(), tree.branches.end(),
      [](const Branch& b) { return b.kind == Branch::Kind::Pruning && b.parent == BranchId{0}; });
  EXPECT_EQ(prunings_of_the_first, 6 * 2);
}

TEST(ExperimentTree, IsInAccordWithItsIds) {
  const ExperimentTree tree = grow_tree(paper_grid(), kPaperNodeSets);
  for (const Branch& branch : tree.branches) {
    const auto place = place_of(branch.run);
    ASSERT_TRUE(place.has_value()) << branch.run;
    EXPECT_EQ(place->nodes, kPaperNodeSets[branch.nodes.pos()]) << branch.run;
    EXPECT_EQ(place->epochs_before, branch.epochs_before) << branch.run;
    EXPECT_EQ(place->prune, branch.prune) << branch.run;
    EXPECT_EQ(place->ratio.has_value(), branch.kind == Branch::Kind::Pruning) << branch.run;
    ASSERT_EQ(place->origin.has_value(), branch.parent.has_value()) << branch.run;
    if (!branch.parent) continue;
    EXPECT_EQ(*place->origin, (RunOrigin{tree.branch(*branch.parent).run, branch.after}));
  }
}

// What is stored under an id is found again when the grid grows or shrinks.
TEST(ExperimentTree, KeepsItsIdsWhenTheGridGrows) {
  const ExperimentTree small = grow_tree(paper_grid(), kPaperNodeSets);
  CollectSpec larger = paper_grid();
  larger.seeds = {3, 1};
  larger.switch_epochs[0].insert(larger.switch_epochs[0].begin(), 10);
  larger.ratios[0].push_back(0.9);
  std::set<std::string> runs;
  for (const Branch& branch : grow_tree(larger, kPaperNodeSets).branches) runs.insert(branch.run);
  for (const Branch& branch : small.branches) EXPECT_TRUE(runs.contains(branch.run)) << branch.run;
}

TEST(ExperimentTree, HoldsFurtherGridsWithEverySeed) {
  const NodeSetId gold{0};
  const NodeSetId silver{1};
  const CollectSpec grid{.seeds = {1, 2},
                         .sequences = {{gold, silver}},
                         .switch_epochs = {{5}},
                         .ratios = {{0.5, 0.75}},
                         .last_epochs = 4,
                         .also = {{{{gold, silver}}, {{1, 5}}, {{0.5}}}}};
  const ExperimentTree tree = grow_tree(grid, kPaperNodeSets);
  EXPECT_EQ(tree.experiments.size(), 6U) << "5x0.5 is in both";
  std::set<std::string> runs;
  for (const Branch& branch : tree.branches) runs.insert(branch.run);
  EXPECT_TRUE(runs.contains("2/gold/1x0.5/silver"));
  EXPECT_FALSE(runs.contains("2/gold/1x0.75/silver"));
}

TEST(ExperimentTree, OfASingleNodeSetNeverPrunes) {
  const CollectSpec grid{.seeds = {1, 2},
                         .sequences = {{NodeSetId{1}}},
                         .switch_epochs = {},
                         .ratios = {},
                         .last_epochs = 7};
  const ExperimentTree tree = grow_tree(grid, kPaperNodeSets);
  ASSERT_EQ(tree.branches.size(), 2U);
  EXPECT_EQ(tree.branches[1].run, "2/silver");
  EXPECT_EQ(tree.epochs_shared(), 14);
  EXPECT_EQ(tree.saved(), 0);
}

}  // namespace
}  // namespace espalier
