// SPDX-License-Identifier: Apache-2.0
// How long epochs take, as far as is known.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/scenario.h"
#include "experiments/agenda.h"

namespace espalier {

// On this machine, where members train one after another. Begins with what the scenario's run table
// says, and learns from what is observed; what is said of other devices tells nothing. An epoch
// that was never observed is taken to be in proportion to samples and channels. Owned by one
// thread.
class StepTimes {
 public:
  explicit StepTimes(const Scenario& scenario);

  void add(NodeSetId nodes, double prune, Seconds time);
  // Nothing if nothing at all is known.
  std::optional<Seconds> epoch(NodeSetId nodes, double prune) const;

 private:
  struct Mean {
    double sum = 0;
    double count = 0;
  };
  using Version = std::pair<NodeSetId, double>;

  double weight(NodeSetId nodes, double prune) const;

  std::vector<double> samples_;  // by node set
  std::vector<int> members_;     // by node set; 0: on another device
  std::map<Version, Seconds> told_;
  std::map<Version, Mean> observed_;
  double observed_time_ = 0;
  double observed_weight_ = 0;
};

// The time of all epochs still to be trained, one after the other; nothing if nothing is known.
std::optional<Seconds> time_left(const ExperimentTree& tree, const std::vector<int>& steps_left,
                                 const StepTimes& times);

}  // namespace espalier
