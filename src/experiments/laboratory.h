// SPDX-License-Identifier: Apache-2.0
// The role of those who really train: four verbs, from which every experiment is made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.h"
#include "core/meter.h"
#include "core/units.h"
#include "networks/tensors.h"

namespace espalier {

// Where and when something is done.
struct Situation {
  NodeSetId nodes{};  // of the scenario
  std::uint64_t seed = 0;
  int epoch = 0;  // epochs that the network was trained for before, since it was fresh
};

struct Losses {
  Loss training{};    // on the node set's own samples
  Loss validation{};  // on samples that nobody trains on
};

// What one step took, and how one knows.
struct StepCost {
  Seconds time{};
  Joules energy{};
  Provenance provenance = Provenance::Modelled;
  std::string source;  // "RAPL package-0", "a100: 400 W × load"; empty where nothing was spent
};

struct Observed {
  Losses losses;
  StepCost cost;
};

struct Changed {
  Network network;
  Losses losses;  // of the changed network
  StepCost cost;
};

// Every result but the cost depends on the arguments alone, to the last bit: what is done again
// gives the same. Throws Error: BadInput where the data is not as it should be, RunFailed where
// something breaks. Owned by one thread.
class Laboratory {
 public:
  virtual ~Laboratory() = default;

  // The full network, untrained.
  virtual Network fresh(std::uint64_t seed) = 0;
  // The network comes to a node set, from another one or (fresh) from nowhere, and is looked at
  // before it is trained there. The cost is that of the way; nothing where none is known.
  virtual Observed arrive(const Network& network, const Situation& at,
                          std::optional<NodeSetId> from) = 0;
  // One cooperative epoch.
  virtual Changed train(Network network, const Situation& at) = 0;
  // Afterwards the share `gone` of the full network's channels is missing; the node set prunes on
  // its own data.
  virtual Changed prune(Network network, const Situation& at, double gone) = 0;
};

}  // namespace espalier
