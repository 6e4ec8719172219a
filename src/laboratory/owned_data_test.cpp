// SPDX-License-Identifier: Apache-2.0
#include "laboratory/owned_data.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

Scenario scenario(std::int64_t gold, std::int64_t silver) {
  Scenario s;
  s.node_sets = {{"gold", {}, {}}, {"silver", {}, {}}};
  s.training.emplace();
  s.training->dataset = "synthetic:3x100";
  s.training->nodes = {{.nodes = {0}, .samples = gold, .classes = 3, .members = 2},
                       {.nodes = {1}, .samples = silver, .classes = 3, .members = 1}};
  return s;
}

// Where the pixels of each image lie: which image it is.
std::set<const uint8_t*> images_of(const Samples& samples) {
  std::set<const uint8_t*> images;
  for (std::size_t i = 0; i < samples.size(); ++i) images.insert(samples.pixels(i).data());
  return images;
}

TEST(OwnedData, GivesEveryMemberImagesOfItsOwn) {
  const OwnedData data(scenario(200, 100), {});
  std::set<const uint8_t*> all;
  for (const NodeSetId nodes : {NodeSetId{0}, NodeSetId{1}}) {
    for (const Member& member : data.members(nodes)) {
      EXPECT_EQ(member.samples.size(), 100U) << member.name;
      all.merge(images_of(member.samples));
    }
  }
  EXPECT_EQ(all.size(), 300U);
}

TEST(OwnedData, LooksAtImagesOfTheNodeSetOnly) {
  const OwnedData data(scenario(200, 100), {});
  const auto glance = images_of(data.glance({1}));
  const auto own = images_of(data.members({1})[0].samples);
  EXPECT_TRUE(std::includes(own.begin(), own.end(), glance.begin(), glance.end()));
  for (const uint8_t* image : images_of(data.held_back())) EXPECT_FALSE(own.contains(image));
}

TEST(OwnedData, SharesImagesOnlyWhereThatIsAllowed) {
  Scenario greedy = scenario(250, 100);
  EXPECT_THROW(OwnedData(greedy, {}), Error);
  greedy.training->overlap = SampleOverlap::Allowed;
  EXPECT_EQ(OwnedData(greedy, {}).members({1})[0].samples.size(), 100U);
}

}  // namespace
}  // namespace espalier
