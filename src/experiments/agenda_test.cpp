// SPDX-License-Identifier: Apache-2.0
#include "experiments/agenda.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "experiments/paper_grid.h"

namespace espalier {
namespace {

CollectSpec small_grid() {
  CollectSpec grid = paper_grid();
  grid.switch_epochs = {{3, 7, 12}};
  grid.last_epochs = 4;
  return grid;
}

// Does the work of an agenda without training anything, and keeps count.
struct Workshop {
  explicit Workshop(const CollectSpec& grid, AgendaOptions how = {})
      : tree(grow_tree(grid, kPaperNodeSets)), stock(tree.branches.size()), options(how) {}

  Agenda agenda() const { return Agenda(tree, stock, options); }

  bool has_start(const Segment& s) const {
    const Branch& branch = tree.branch(s.branch);
    if (s.from > 0) return stock[s.branch.pos()].networks.contains(s.from);
    return !branch.parent || stock[branch.parent->pos()].networks.contains(branch.after);
  }

  void finish(const Segment& s) {
    ASSERT_TRUE(has_start(s)) << tree.branch(s.branch).run << " from " << s.from;
    ASSERT_LE(s.to, tree.branch(s.branch).steps);
    ASSERT_LE(s.from, stock[s.branch.pos()].known) << "a gap";
    steps += s.to - s.from;
    BranchStock& mine = stock[s.branch.pos()];
    mine.known = std::max(mine.known, s.to);
    if (s.keeps_network) mine.networks.insert(s.to);
    clear_out();
  }

  void clear_out() {
    const Agenda now = agenda();
    std::size_t count = 0;
    for (std::size_t i = 0; i < stock.size(); ++i) {
      std::erase_if(stock[i].networks, [&](int step) {
        return !now.needs_network({static_cast<std::int32_t>(i)}, step);
      });
      count += stock[i].networks.size();
    }
    most_networks = std::max(most_networks, count);
  }

  // With so many segments in hand at a time, finished in random order.
  void run(std::size_t workers, unsigned seed = 0) {
    std::mt19937 random(seed);
    std::vector<Segment> in_hand;
    for (;;) {
      const auto is_busy = [&](BranchId id) {
        return std::any_of(in_hand.begin(), in_hand.end(),
                           [&](const Segment& s) { return s.branch == id; });
      };
      while (in_hand.size() < workers) {
        const auto segment = agenda().next(is_busy);
        if (!segment) break;
        in_hand.push_back(*segment);
      }
      if (in_hand.empty()) break;
      const auto chosen = in_hand.begin() + static_cast<std::ptrdiff_t>(random() % in_hand.size());
      const Segment done = *chosen;
      in_hand.erase(chosen);
      finish(done);
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_TRUE(agenda().is_finished());
  }

  bool has_everything() const {
    for (std::size_t i = 0; i < stock.size(); ++i) {
      if (stock[i].known != tree.branches[i].steps) return false;
    }
    return true;
  }

  std::int64_t steps_of_tree() const {
    std::int64_t total = 0;
    for (const Branch& branch : tree.branches) total += branch.steps;
    return total;
  }

  // Takes over what another has, by the ids of the branches.
  void take_over(const Workshop& other) {
    std::map<std::string, BranchStock> known;
    for (std::size_t i = 0; i < other.stock.size(); ++i)
      known[other.tree.branches[i].run] = other.stock[i];
    for (std::size_t i = 0; i < stock.size(); ++i) stock[i] = known[tree.branches[i].run];
  }

  ExperimentTree tree;
  Stock stock;
  AgendaOptions options;
  std::int64_t steps = 0;
  std::size_t most_networks = 0;
};

TEST(Agenda, DoesEveryStepOnceWhateverTheNumberOfWorkers) {
  for (const std::size_t workers : {1U, 2U, 5U, 50U}) {
    Workshop shop(small_grid());
    shop.run(workers, static_cast<unsigned>(workers));
    EXPECT_TRUE(shop.has_everything());
    EXPECT_EQ(shop.steps, shop.steps_of_tree()) << workers;
  }
}

TEST(Agenda, NeedsFewNetworksAtATime) {
  Workshop alone(paper_grid());
  alone.run(1);
  EXPECT_LE(alone.most_networks, 6U);
  Workshop two(paper_grid());
  two.run(2);
  EXPECT_LE(two.most_networks, 12U);
}

TEST(Agenda, LeavesNoNetworkBehind) {
  Workshop shop(small_grid());
  shop.run(3);
  for (const BranchStock& stock : shop.stock) EXPECT_TRUE(stock.networks.empty());
}

TEST(Agenda, StoresNetworksRegularly) {
  Workshop shop(paper_grid(), {.longest_segment = 4});
  while (const auto segment = shop.agenda().next([](BranchId) { return false; })) {
    ASSERT_LE(segment->to - segment->from, 4);
    shop.finish(*segment);
  }
  EXPECT_TRUE(shop.has_everything());
}

// Whatever of the stored networks is lost, the rest can be made again, and nothing known is lost.
TEST(Agenda, MakesLostNetworksAgain) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Workshop shop(small_grid());
    std::mt19937 random(seed);
    int left = 1 + static_cast<int>(random() % 60);
    while (const auto segment = shop.agenda().next([](BranchId) { return false; })) {
      shop.finish(*segment);
      if (--left == 0) break;
    }
    for (BranchStock& stock : shop.stock) {
      std::erase_if(stock.networks, [&](int) { return random() % 2 == 0; });
    }
    shop.run(2, seed);
    EXPECT_TRUE(shop.has_everything()) << seed;
  }
}

TEST(Agenda, ReusesEverythingWhenTheGridShrinks) {
  Workshop before(paper_grid());
  before.run(1);
  CollectSpec smaller = paper_grid();
  smaller.switch_epochs = {{5, 40}};
  Workshop after(smaller);
  after.take_over(before);
  EXPECT_TRUE(after.agenda().is_finished());
}

TEST(Agenda, RetrainsOnlyWhatANewBranchGrowsFrom) {
  Workshop before(small_grid());
  before.run(1);
  CollectSpec larger = small_grid();
  larger.switch_epochs = {{3, 5, 7, 12}, {3, 7, 12}};
  Workshop after(larger);
  after.take_over(before);
  const std::int64_t new_steps = after.steps_of_tree() - before.steps_of_tree();
  after.run(1);
  EXPECT_TRUE(after.has_everything());
  EXPECT_EQ(after.steps, new_steps + 5) << "5 epochs to have the network there again";
}

TEST(Agenda, RetrainsNothingIfNetworksAreKept) {
  Workshop before(small_grid(), {.keeps_networks = true});
  before.run(1);
  CollectSpec larger = small_grid();
  larger.ratios[0].push_back(0.9);
  Workshop after(larger, {.keeps_networks = true});
  after.take_over(before);
  const std::int64_t new_steps = after.steps_of_tree() - before.steps_of_tree();
  after.run(1);
  EXPECT_TRUE(after.has_everything());
  EXPECT_EQ(after.steps, new_steps);
}

TEST(Agenda, GivesNobodyTheBranchOfAnother) {
  const Workshop shop(small_grid());
  EXPECT_FALSE(shop.agenda().next([](BranchId) { return true; }).has_value());
}

// Whoever was killed left a network whose epochs nobody noted: while one worker trains them again,
// another may begin from it, be done, and need it no more.
TEST(Agenda, NetworksThatAreBeingWrittenOrReadAreInHands) {
  Workshop shop(small_grid());
  const BranchId root{0};
  const BranchId child = shop.tree.branch(root).children.front();
  const int step = shop.tree.branch(child).after;
  shop.stock[root.pos()].networks.insert(step);
  const auto again = shop.agenda().next([&](BranchId id) { return id != root; });
  ASSERT_TRUE(again);
  ASSERT_EQ(*again, (Segment{root, 0, step, true}));
  for (const BranchId other : shop.tree.branch(root).children) {
    if (shop.tree.branch(other).after == step) shop.stock[other.pos()] = {1, {1}, false};
  }
  ASSERT_FALSE(shop.agenda().needs_network(root, step)) << "and yet it is being written";
  EXPECT_TRUE(has_in_hands(shop.tree, *again, root, step));
  EXPECT_TRUE(has_in_hands(shop.tree, {child, 0, 1, true}, root, step)) << "read by the child";
  EXPECT_TRUE(has_in_hands(shop.tree, {root, step, step + 1, false}, root, step)) << "gone on from";
  EXPECT_FALSE(has_in_hands(shop.tree, {root, 0, step, false}, root, step)) << "not to be kept";
  EXPECT_FALSE(has_in_hands(shop.tree, *again, root, step + 1));
  EXPECT_FALSE(has_in_hands(shop.tree, *again, child, step));
}

TEST(Agenda, AsksForNoMoreStepsThanAreEnough) {
  Workshop shop(small_grid());
  std::int64_t prunings = 0;
  for (std::size_t i = 0; i < shop.stock.size(); ++i) {
    const bool trains = shop.tree.branches[i].kind == Branch::Kind::Training;
    shop.stock[i] = {shop.tree.branches[i].steps - 1, {}, trains};
    if (!trains) ++prunings;
  }
  EXPECT_GE(shop.agenda().steps_left(), prunings) << "and what they grow from";
  for (BranchStock& stock : shop.stock) stock.is_enough = true;
  EXPECT_TRUE(shop.agenda().is_finished());
}

TEST(Agenda, KnowsWhatIsLeft) {
  Workshop shop(small_grid());
  EXPECT_EQ(shop.agenda().steps_left(), shop.steps_of_tree());
  const auto first = shop.agenda().next([](BranchId) { return false; });
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(*first, (Segment{BranchId{0}, 0, 3, true}));
  shop.finish(*first);
  EXPECT_EQ(shop.agenda().steps_left(), shop.steps_of_tree() - 3);
}

}  // namespace
}  // namespace espalier
