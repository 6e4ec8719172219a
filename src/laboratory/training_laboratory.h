// SPDX-License-Identifier: Apache-2.0
// The laboratory that really trains: all node sets of a scenario in one process.
#pragma once

#include <functional>
#include <vector>

#include "core/clock.h"
#include "core/meter.h"
#include "core/scenario.h"
#include "experiments/laboratory.h"
#include "laboratory/owned_data.h"
#include "laboratory/site.h"
#include "networks/pruning.h"
#include "training/learner_options.h"

namespace espalier {

// Chosen once, where the program starts.
struct LaboratoryTools {
  OpenOptions data;
  std::function<LearnerFactory(const LearnerOptions&)> learners;
  Meter& meter;  // of this machine; for node sets that have no device of their own
  const Clock& clock;
};

// Owned by one thread.
class TrainingLaboratory final : public Laboratory {
 public:
  // Throws Error{BadInput} where data, devices or networks are not to be had.
  // REQUIRES: the scenario has `training`, and outlives it.
  TrainingLaboratory(const Scenario& scenario, LaboratoryTools tools);

  Network fresh(std::uint64_t seed) override;
  Observed arrive(const Network& network, const Situation& at,
                  std::optional<NodeSetId> from) override;
  Changed train(Network network, const Situation& at) override;
  Changed prune(Network network, const Situation& at, double gone) override;

  // What an epoch costs, found out on some of its images: one figure per repetition, after a first
  // one that does not count. Where the cost is modelled nothing is trained, and there is one
  // figure.
  struct Trial {
    std::size_t images = 512;
    int repetitions = 5;
  };
  std::vector<StepCost> try_epoch(const Network& network, const Situation& at, const Trial& trial);
  // The network comes from another node set, at most so many bytes of it.
  StepCost arrival(int64_t bytes, NodeSetId from, NodeSetId to) const;
  bool is_this_machine(NodeSetId nodes) const { return sites_[nodes.pos()].is_this_machine(); }

  // What the full network looks like when that share of its channels is gone.
  Architecture version(double gone) const;

 private:
  const Site& site(const Situation& at) const { return sites_[at.nodes.pos()]; }
  LearnerFactory learners(const Situation& at) const;
  PruningOptions pruning(const Situation& at, double gone) const;
  Losses losses(const Network& network, const Situation& at) const;
  Work training_work(const Architecture& architecture, const Situation& at) const;

  const TrainingSpec& spec_;
  const LaboratoryTools tools_;
  const OwnedData data_;
  const Architecture full_;
  const std::vector<Site> sites_;  // by node set
};

}  // namespace espalier
