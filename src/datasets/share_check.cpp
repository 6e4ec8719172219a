// SPDX-License-Identifier: Apache-2.0
#include "datasets/share_check.h"

#include <set>

#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kMostMembers = 10'000;
constexpr double kLeastAlpha = 1e-3;
constexpr double kMostAlpha = 1e6;

std::string plural_samples(std::size_t count) { return counted(count, "sample", "samples"); }

void check_kind(const Share&, const Iid&, std::size_t) {}

void check_kind(const Share& share, const ByClass& kind, std::size_t classes) {
  const std::size_t each = kind.classes_per_member;
  if (each == 0 || each > classes) {
    refuse(share.nodes,
           counted(each, "class", "classes") + " per member; it must be 1 to " + counted(classes));
  }
  // Not multiplied: that could overflow.
  if ((classes + each - 1) / each > share.members) {
    refuse(share.nodes,
           counted(share.members, "member", "members") + " with " +
               counted(each, "class", "classes") + " each cannot have all of " +
               counted(classes, "class", "classes"),
           "ask for fewer classes, or for more per member");
  }
  if (share.samples / share.members < each) {
    refuse(share.nodes,
           "members have " + plural_samples(share.samples / share.members) + " of " +
               counted(each, "class", "classes"),
           "ask for more samples");
  }
}

void check_kind(const Share& share, const Dirichlet& kind, std::size_t) {
  if (kind.alpha >= kLeastAlpha && kind.alpha <= kMostAlpha) return;
  refuse(share.nodes, "alpha is " + std::to_string(kind.alpha) + "; it must be 0.001 to 1,000,000");
}

void check_counts(const Share& share, const Dataset& dataset) {
  if (share.classes > dataset.classes.size()) {
    refuse(share.nodes, "asks for " + counted(share.classes, "class", "classes") + "; " +
                            dataset.name + " has " + counted(dataset.classes.size()));
  }
  if (share.members == 0 || share.members > kMostMembers) {
    refuse(share.nodes,
           counted(share.members) + " members; it must be 1 to " + counted(kMostMembers));
  }
  if (share.samples < share.members || share.samples < share.classes) {
    refuse(share.nodes,
           plural_samples(share.samples) + " for " + counted(share.members, "member", "members") +
               " and " + counted(class_count(share, dataset), "class", "classes"),
           "each member and each class needs at least one");
  }
}

}  // namespace

std::size_t class_count(const Share& share, const Dataset& dataset) {
  return share.classes == 0 ? dataset.classes.size() : share.classes;
}

void check_shares(std::span<const Share> shares, const Dataset& dataset) {
  std::set<std::string> names;
  for (const Share& share : shares) {
    if (!names.insert(share.nodes).second) refuse(share.nodes, "a node set with two shares");
    check_counts(share, dataset);
    std::visit([&](const auto& kind) { check_kind(share, kind, class_count(share, dataset)); },
               share.kind);
  }
}

}  // namespace espalier
