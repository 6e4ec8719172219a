// SPDX-License-Identifier: Apache-2.0
// The two ways to go on with a smaller network.
#pragma once

#include "core/units.h"
#include "networks/pruning.h"
#include "training/learner.h"
#include "training/samples.h"

namespace espalier {

struct CompressionOutcome {
  EpochEnd end = EpochEnd::Finished;
  Network network;
  Evaluation before{};  // of the large network, on the samples
  Evaluation after{};   // of the small one
  Seconds time{};       // without the two evaluations
};

// Drops channels as networks/pruning.h does, and learns the statistics of batch norms anew, which
// those of fewer channels no longer fit. Weights and momentum of what stays are carried over. For
// PruningCriterion::Taylor the gradients are those on samples_to_score() of the samples, spread
// over all of them; options.scores.gradients is ignored.
CompressionOutcome compress_by_pruning(const Network& network, const Architecture& full,
                                       const PruningOptions& options, const Samples& samples,
                                       const LearnerFactory& make_learner);

// At most so many of `count` samples are looked at to score channels.
std::size_t samples_to_score(PruningCriterion criterion, std::size_t count);

struct Distillation {
  // Who learns: fresh, or pruned from the teacher.
  Network student;
  // How long, and from which epoch of the run on.
  int epochs = 5;
  Epoch first{};
  // See Teaching.
  double temperature = 4;
  double mix = 0.9;
};

// Trains the student on the logits of the teacher. Ends early where an epoch doesn't finish, with
// what has been learned so far.
CompressionOutcome compress_by_distilling(const Network& teacher, const Distillation& plan,
                                          const Samples& samples,
                                          const LearnerFactory& make_learner);

}  // namespace espalier
