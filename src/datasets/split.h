// SPDX-License-Identifier: Apache-2.0
// Who owns which training images: the samples of a data set dealt out to node sets and, within
// each, to its members.
//
// Node sets are served in their order, and no image has two owners. That may be impossible: the
// PACT paper gives gold 45,000, silver 5,000 and bronze 1,500 images, but CIFAR-10 has 50,000 for
// training. By default this is an error that says what is missing. Overlap::BetweenNodeSets permits
// it: a node set then takes images that nobody has while there are any, and after that reuses those
// of the earlier sets, first those that were taken first; `Split::shared` counts them. Members of
// one node set never share.
//
// Nothing is drawn from the test images: what a network is judged by, no node may have seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "datasets/dataset.h"

namespace espalier {

// Every member has the same mix of classes as the data set (among the classes of the node set), to
// one image.
struct Iid {};

// Every member sees so many classes only, in equal parts; neighbours see the next ones.
struct ByClass {
  std::size_t classes_per_member = 2;
};

// The node set has the mix of the data set, but each member's own mix is drawn from a symmetric
// Dirichlet distribution: near 0 a member sees hardly more than one class, from 100 on it is nearly
// iid. Members take turns drawing one image of a class by their mix, as long as there is one
// (Hsu, Qi, Brown 2019, with fixed totals): a member whose classes have run out takes what is left.
struct Dirichlet {
  double alpha = 0.5;  // 0.001 to 1,000,000
};

using SplitKind = std::variant<Iid, ByClass, Dirichlet>;

// What one node set asks for.
struct Share {
  std::string nodes;        // "gold"
  std::size_t samples = 0;  // of all members together; each has the same number, to one
  // How many classes they belong to; 0: all. Which ones is drawn, by the seed and the name.
  std::size_t classes = 0;
  std::size_t members = 1;  // at most 10,000
  SplitKind kind = Iid{};
};

enum class Overlap { Refused, BetweenNodeSets };

struct SplitOptions {
  Overlap overlap = Overlap::Refused;
  std::uint64_t seed = 1;
};

struct OwnedSamples {
  std::string nodes;
  std::vector<std::uint16_t> classes;  // ascending
  std::vector<SampleList> members;     // indices into Dataset::train, ascending
};

struct Split {
  std::vector<OwnedSamples> node_sets;  // in the order of the shares
  std::size_t shared = 0;               // images that more than one node set has
};

// The same arguments give the same split on every machine. Throws Error{BadInput} naming the node
// set where a share makes no sense or the data set has not enough images of its classes.
Split split_dataset(const Dataset& dataset, std::span<const Share> shares,
                    const SplitOptions& options = {});

}  // namespace espalier
