// SPDX-License-Identifier: Apache-2.0
// How long epochs take, as far as is known.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/scenario.h"
#include "core/trace.h"
#include "experiments/agenda.h"

namespace espalier {

// On this machine, where members train one after another. Begins with what the scenario's run table
// or other traces say, and learns from what is observed; what is said of other devices tells
// nothing. An epoch that was never observed is taken to be in proportion to samples and channels.
// Owned by one thread.
class StepTimes {
 public:
  explicit StepTimes(const Scenario& scenario);

  enum class Source { Nothing, RunTable, OtherTraces, OwnEpochs };

  // Medians of the epochs in other traces by whoever owned as many samples there; until there are
  // epochs of one's own. Whether there were any.
  bool take_from(std::span<const TraceRow> traces, const Scenario& scenario);
  void add(NodeSetId nodes, double prune, Seconds time);
  // Nothing if nothing at all is known.
  std::optional<Seconds> epoch(NodeSetId nodes, double prune) const;
  // Of what `epoch` says.
  Source source() const;

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
  bool is_told_by_traces_ = false;
  std::map<Version, Mean> observed_;
  double observed_time_ = 0;
  double observed_weight_ = 0;
};

// The time of all epochs still to be trained, one after the other; nothing if nothing is known.
std::optional<Seconds> time_left(const ExperimentTree& tree, const std::vector<int>& steps_left,
                                 const StepTimes& times);

}  // namespace espalier
