// SPDX-License-Identifier: Apache-2.0
#include "laboratory/owned_data.h"

#include <algorithm>

#include "datasets/split.h"

namespace espalier {
namespace {

// Images that are looked at to tell a loss.
constexpr std::size_t kGlance = 2'000;

SplitKind kind_of(const NodeDataSpec& spec) {
  switch (spec.split) {
    case SampleSplit::ByClass:
      return ByClass{};
    case SampleSplit::Dirichlet:
      return Dirichlet{spec.alpha};
    case SampleSplit::Iid:
      break;
  }
  return Iid{};
}

Share share_of(const Scenario& scenario, const NodeDataSpec& spec) {
  return {scenario.node_sets[spec.nodes.pos()].name, static_cast<std::size_t>(spec.samples),
          static_cast<std::size_t>(spec.classes), static_cast<std::size_t>(spec.members),
          kind_of(spec)};
}

std::vector<Share> shares_of(const Scenario& scenario) {
  std::vector<Share> shares;
  for (const NodeDataSpec& spec : scenario.training->nodes)
    shares.push_back(share_of(scenario, spec));
  return shares;
}

// As many of each list as of the others, and no more than `count` in all.
SampleList some_of_each(const std::vector<SampleList>& lists, std::size_t count) {
  SampleList some;
  const std::size_t each = std::max<std::size_t>(1, count / lists.size());
  for (const SampleList& list : lists)
    some.insert(some.end(), list.begin(),
                list.begin() + static_cast<std::ptrdiff_t>(std::min(each, list.size())));
  return some;
}

SampleList first_of(const Images& images, std::size_t count) {
  SampleList list(std::min(count, images.size()));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<uint32_t>(i);
  return list;
}

}  // namespace

OwnedData::OwnedData(const Scenario& scenario, const OpenOptions& options)
    : dataset_(open_dataset(scenario.training->dataset, options)),
      parts_(parts_of(scenario)),
      held_back_(dataset_.test, first_of(dataset_.test, kGlance)) {}

ImageShape OwnedData::shape() const {
  return {dataset_.train.channels, dataset_.train.height, dataset_.train.width};
}

std::vector<OwnedData::Part> OwnedData::parts_of(const Scenario& scenario) const {
  SplitOptions options;
  if (scenario.training->overlap == SampleOverlap::Allowed)
    options.overlap = Overlap::BetweenNodeSets;
  const Split split = split_dataset(dataset_, shares_of(scenario), options);
  std::vector<Part> parts;
  for (const OwnedSamples& owned : split.node_sets) {
    Part part{{}, Samples(dataset_.train, some_of_each(owned.members, kGlance))};
    for (std::size_t i = 0; i < owned.members.size(); ++i)
      part.members.push_back(
          {owned.nodes + "-" + std::to_string(i + 1), Samples(dataset_.train, owned.members[i])});
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace espalier
