// SPDX-License-Identifier: Apache-2.0
// What a scenario says about real training: what is trained, with which data, and which experiments
// are to be made of it. Plain values, already validated. Strategies never look at them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"

namespace espalier {

// How the learning rate goes down during a run.
enum class RateSchedule { Constant, Cosine, Step };

// Which channels are the least important ones when a network is pruned.
enum class PruningCriterion { GroupL2, BatchNormScale, Taylor, Random };

// How the samples of a node set are shared out among its members.
enum class SampleSplit { Iid, ByClass, Dirichlet };

// Whether node sets may own the same samples where there are not enough for all of them.
enum class SampleOverlap { Refused, Allowed };

// What a node set learns from, and who it is.
struct NodeDataSpec {
  NodeSetId nodes{};
  std::int64_t samples = 0;
  int classes = 0;
  int members = 1;
  SampleSplit split = SampleSplit::Iid;
  double alpha = 0.5;                 // of the Dirichlet split: the smaller, the more unequal
  std::string device{};               // in the catalogue of devices; empty: the machine it runs on
  std::vector<std::string> agents{};  // names of its members; empty: `run` starts them itself
  friend bool operator==(const NodeDataSpec&, const NodeDataSpec&) = default;
};

struct TrainingSpec {
  std::string network = "vgg11";  // vgg11, alexnet, mobilenetv2 or resnet18
  double width = 1;               // multiplies all channels of the full network
  std::string dataset;            // a name or a path
  int batch = 64;
  double learning_rate = 0.001;
  double momentum = 0.9;
  double weight_decay = 0;
  RateSchedule schedule = RateSchedule::Constant;
  int jitter = 0;        // pixels by which images are shifted; every other one is mirrored, then
  int local_epochs = 1;  // passes of each member over its samples before the weights are averaged
  PruningCriterion criterion = PruningCriterion::GroupL2;
  int round_to = 16;  // channels that are left are a multiple of this
  SampleOverlap overlap = SampleOverlap::Refused;
  std::vector<NodeDataSpec> nodes{};  // each node set at most once
  friend bool operator==(const TrainingSpec&, const TrainingSpec&) = default;
};

// More experiments with the same seeds and the same end; fields as in CollectSpec.
struct ExperimentGrid {
  std::vector<std::vector<NodeSetId>> sequences;
  std::vector<std::vector<int>> switch_epochs;
  std::vector<std::vector<double>> ratios;
  friend bool operator==(const ExperimentGrid&, const ExperimentGrid&) = default;
};

// A grid of experiments. Each goes through one sequence of node sets: the first trains the full
// network; after so many epochs it prunes it by some ratio and hands it over to the next; the last
// one trains for `last_epochs`, or until the loss is `last_loss`. All combinations are made.
struct CollectSpec {
  std::vector<std::uint64_t> seeds;
  std::vector<std::vector<NodeSetId>> sequences;
  // By hand-over: the epochs before it. Fewer lists than hand-overs: the last one counts for the
  // rest.
  std::vector<std::vector<int>> switch_epochs;
  // By hand-over: the shares of the channels then left that go. Fewer lists: as above.
  std::vector<std::vector<double>> ratios;
  int last_epochs = 40;
  double last_loss = 0;  // 0: all epochs are trained, however low it falls
  std::vector<ExperimentGrid> also{};

  // That of its own fields, then the others.
  std::vector<ExperimentGrid> grids() const {
    std::vector<ExperimentGrid> all{{sequences, switch_epochs, ratios}};
    all.insert(all.end(), also.begin(), also.end());
    return all;
  }
  friend bool operator==(const CollectSpec&, const CollectSpec&) = default;
};

}  // namespace espalier
