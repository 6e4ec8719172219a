// SPDX-License-Identifier: Apache-2.0
#include "datasets/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "datasets/sample_files.h"

namespace espalier {
namespace {

// counts[i] images of class i, without pixels, class after class.
Dataset dataset_with(const std::vector<std::size_t>& counts) {
  Dataset dataset{"tiny", {}, {}, {}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    dataset.classes.push_back("c" + std::to_string(i));
    dataset.train.labels.insert(dataset.train.labels.end(), counts[i],
                                static_cast<std::uint16_t>(i));
  }
  return dataset;
}

Dataset cifar_sized() { return dataset_with(std::vector<std::size_t>(10, 5000)); }

std::vector<std::size_t> class_counts(const Dataset& dataset, const SampleList& samples) {
  std::vector<std::size_t> counts(dataset.classes.size());
  for (const std::uint32_t i : samples) ++counts[dataset.train.labels[i]];
  return counts;
}

SampleList all_of(const OwnedSamples& owned) {
  SampleList all;
  for (const SampleList& member : owned.members)
    all.insert(all.end(), member.begin(), member.end());
  return all;
}

std::size_t distinct(const SampleList& samples) {
  return std::set<std::uint32_t>(samples.begin(), samples.end()).size();
}

SampleList all_of(const Split& split) {
  SampleList all;
  for (const OwnedSamples& owned : split.node_sets) {
    const SampleList some = all_of(owned);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::size_t classes_seen(const Dataset& dataset, const SampleList& samples) {
  const auto counts = class_counts(dataset, samples);
  return counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0U));
}

using Counts = std::vector<std::size_t>;

TEST(Split, GivesDisjointStratifiedSamples) {
  const Dataset dataset = cifar_sized();
  const Split split = split_dataset(
      dataset,
      std::vector<Share>{{"gold", 40'000, 10, 5}, {"silver", 5000, 10, 2}, {"bronze", 1500, 0, 2}});
  EXPECT_EQ(distinct(all_of(split)), 46'500U);
  EXPECT_EQ(split.shared, 0U);
  EXPECT_EQ(split.node_sets[1].nodes, "silver");
  for (const SampleList& member : split.node_sets[0].members) {
    EXPECT_EQ(class_counts(dataset, member), Counts(10, 800));
  }
  EXPECT_EQ(class_counts(dataset, split.node_sets[2].members[1]), Counts(10, 75));
}

TEST(Split, TakesTheLastSample) {
  const Dataset dataset = cifar_sized();
  const Split split = split_dataset(
      dataset, std::vector<Share>{{"gold", 45'005}, {"silver", 3333}, {"bronze", 1662}});
  EXPECT_EQ(distinct(all_of(split)), 50'000U);
}

TEST(Split, DiffersByOneBetweenMembers) {
  const Dataset dataset = dataset_with({50, 50, 50});
  const Split split = split_dataset(dataset, std::vector<Share>{{"gold", 100, 0, 7}});
  EXPECT_EQ(distinct(all_of(split)), 100U);
  for (const SampleList& member : split.node_sets[0].members) {
    EXPECT_GE(member.size(), 14U);
    EXPECT_LE(member.size(), 15U);
    for (const std::size_t count : class_counts(dataset, member)) {
      EXPECT_GE(count, 4U);
      EXPECT_LE(count, 5U);
    }
  }
}

TEST(Split, KeepsTheMixOfAnUnevenDataset) {
  const Dataset dataset = dataset_with({1000, 100, 10});
  const Split split = split_dataset(dataset, std::vector<Share>{{"gold", 555}, {"silver", 555}});
  EXPECT_EQ(class_counts(dataset, all_of(split.node_sets[0])), (Counts{500, 50, 5}));
  EXPECT_EQ(class_counts(dataset, all_of(split.node_sets[1])), (Counts{500, 50, 5}));
}

TEST(Split, ChoosesClassesByTheNameOfTheNodeSet) {
  const Dataset dataset = cifar_sized();
  const Share bronze{"bronze", 300, 3};
  const Split alone = split_dataset(dataset, std::vector<Share>{bronze});
  const Split after = split_dataset(dataset, std::vector<Share>{{"gold", 100, 4}, bronze});
  EXPECT_EQ(alone.node_sets[0].classes.size(), 3U);
  EXPECT_EQ(alone.node_sets[0].classes, after.node_sets[1].classes);
  EXPECT_EQ(classes_seen(dataset, all_of(alone.node_sets[0])), 3U);
}

TEST(Split, IsDrawnByTheSeed) {
  const Dataset dataset = cifar_sized();
  const std::vector<Share> shares{{"gold", 1000, 5, 2, Dirichlet{0.3}}};
  const auto members = [&](std::uint64_t seed) {
    return split_dataset(dataset, shares, {.seed = seed}).node_sets[0].members;
  };
  EXPECT_EQ(members(1), members(1));
  EXPECT_NE(members(1), members(2));
}

// Made once by this program: a split must not change with the machine or the compiler.
TEST(Split, IsTheSameOnEveryMachine) {
  const Dataset dataset = dataset_with({20, 20, 20});
  const Split split = split_dataset(
      dataset, std::vector<Share>{{"a", 6, 2, 2, Dirichlet{0.5}}, {"b", 6, 0, 3, ByClass{1}}});
  EXPECT_EQ(split.node_sets[0].members, (std::vector<SampleList>{{3, 19, 48}, {9, 41, 55}}));
  EXPECT_EQ(split.node_sets[1].members, (std::vector<SampleList>{{26, 29}, {57, 59}, {1, 7}}));
}

// The paper's figures.
const std::vector<Share> kPaper{{"gold", 45'000, 10}, {"silver", 5000, 10}, {"bronze", 1500, 10}};

TEST(Split, RefusesMoreThanThereIsLeft) {
  EXPECT_TRUE(refuses([] { split_dataset(cifar_sized(), kPaper); },
                      "bronze: asks for 1,500 samples of 10 classes; tiny has 50,000 of these, and "
                      "0 are left: gold took 45,000, silver took 5,000\n"
                      "ask for 1,500 fewer in all, or permit overlap between node sets"));
}

TEST(Split, OverlapsBetweenNodeSetsWherePermitted) {
  const Dataset dataset = cifar_sized();
  const Split split = split_dataset(dataset, kPaper, {.overlap = Overlap::BetweenNodeSets});
  EXPECT_EQ(split.shared, 1500U);
  EXPECT_EQ(distinct(all_of(split)), 50'000U);
  EXPECT_EQ(distinct(all_of(split.node_sets[2])), 1500U);
  EXPECT_EQ(class_counts(dataset, all_of(split.node_sets[2])), Counts(10, 150));
}

TEST(Split, OverlapsNoMoreThanNeeded) {
  const std::vector<Share> shares{{"gold", 20}, {"silver", 9}};
  const Overlap permitted = Overlap::BetweenNodeSets;
  EXPECT_EQ(split_dataset(dataset_with({30}), shares, {.overlap = permitted}).shared, 0U);
  EXPECT_EQ(split_dataset(dataset_with({25}), shares, {.overlap = permitted}).shared, 4U);
}

TEST(Split, RefusesMoreThanThereIsEvenWithOverlap) {
  EXPECT_TRUE(refuses(
      [] {
        split_dataset(cifar_sized(), std::vector<Share>{{"gold", 60'000}},
                      {.overlap = Overlap::BetweenNodeSets});
      },
      "gold: asks for 60,000 samples of 10 classes; tiny has 50,000 of these"));
}

TEST(Split, NamesTheClassThatRunsOut) {
  const std::vector<Share> shares{{"gold", 90, 1}, {"silver", 100}};
  EXPECT_TRUE(refuses(
      [&] {
        split_dataset(dataset_with({100, 100}), shares);
      },
      "' only 10 of 100 are left: gold took 90"));
}

TEST(SplitByClass, GivesEachMemberFewClasses) {
  const Dataset dataset = cifar_sized();
  const Split split =
      split_dataset(dataset, std::vector<Share>{{"gold", 10'000, 10, 5, ByClass{2}}});
  const OwnedSamples& gold = split.node_sets[0];
  EXPECT_EQ(distinct(all_of(gold)), 10'000U);
  EXPECT_EQ(classes_seen(dataset, all_of(gold)), 10U);
  for (const SampleList& member : gold.members) {
    EXPECT_EQ(member.size(), 2000U);
    EXPECT_EQ(classes_seen(dataset, member), 2U);
  }
}

TEST(SplitByClass, SharesClassesWhereMembersAreMany) {
  const Dataset dataset = cifar_sized();
  const Split split = split_dataset(dataset, std::vector<Share>{{"gold", 700, 3, 7, ByClass{2}}});
  EXPECT_EQ(distinct(all_of(split)), 700U);
  EXPECT_EQ(classes_seen(dataset, all_of(split)), 3U);
}

TEST(SplitByClass, RefusesWhatCannotBe) {
  const auto split = [](Share share) {
    return [=] { split_dataset(cifar_sized(), std::vector<Share>{share}); };
  };
  EXPECT_TRUE(refuses(split({"gold", 100, 10, 2, ByClass{2}}),
                      "gold: 2 members with 2 classes each cannot have all of 10 classes"));
  EXPECT_TRUE(refuses(split({"gold", 100, 2, 2, ByClass{3}}), "3 classes per member"));
  EXPECT_TRUE(refuses(split({"gold", 100, 2, 2, ByClass{0}}), "0 classes per member"));
  EXPECT_TRUE(refuses(split({"gold", 11, 10, 10, ByClass{5}}), "members have 1 sample of 5"));
  EXPECT_TRUE(refuses(split({"gold", 12'000, 2, 1, ByClass{2}}), "2 classes; tiny has 10,000"));
}

// How far the members' mixes are from that of all, 0 to 1.
double skew(const Dataset& dataset, double alpha) {
  const Split split =
      split_dataset(dataset, std::vector<Share>{{"gold", 10'000, 10, 10, Dirichlet{alpha}}});
  EXPECT_EQ(distinct(all_of(split)), 10'000U);
  EXPECT_EQ(class_counts(dataset, all_of(split)), Counts(10, 1000));
  double total = 0;
  for (const SampleList& member : split.node_sets[0].members) {
    EXPECT_EQ(member.size(), 1000U);
    for (const std::size_t count : class_counts(dataset, member)) {
      total += std::abs(static_cast<double>(count) - 100) / 1800;
    }
  }
  return total / 10;
}

TEST(SplitDirichlet, IsMoreSkewedTheSmallerAlphaIs) {
  const Dataset dataset = cifar_sized();
  EXPECT_GT(skew(dataset, 0.01), 0.7);
  EXPECT_GT(skew(dataset, 0.5), 0.25);
  EXPECT_LT(skew(dataset, 0.5), 0.6);
  EXPECT_LT(skew(dataset, 1e4), 0.06);
}

TEST(SplitDirichlet, RefusesAnAlphaOutOfBounds) {
  for (const double alpha : {0.0, -1.0, 1e9, std::nan("")}) {
    const std::vector<Share> shares{{"gold", 10, 0, 2, Dirichlet{alpha}}};
    EXPECT_TRUE(refuses([&] { split_dataset(cifar_sized(), shares); }, "gold: alpha is"));
  }
}

TEST(Split, RefusesSharesThatMakeNoSense) {
  const auto split = [](std::vector<Share> shares) {
    return [=] { split_dataset(cifar_sized(), shares); };
  };
  EXPECT_TRUE(refuses(split({{"gold", 10, 11}}), "gold: asks for 11 classes; tiny has 10"));
  EXPECT_TRUE(refuses(split({{"gold", 10, 0, 0}}), "gold: 0 members; it must be 1 to 10,000"));
  EXPECT_TRUE(refuses(split({{"gold", 4, 0, 5}}), "4 samples for 5 members"));
  EXPECT_TRUE(refuses(split({{"gold", 4, 5}}), "4 samples for 1 member and 5 classes"));
  EXPECT_TRUE(refuses(split({{"gold", 0}}), "0 samples"));
  EXPECT_TRUE(refuses(split({{"gold", 4}, {"gold", 4}}), "gold: a node set with two shares"));
}

}  // namespace
}  // namespace espalier
