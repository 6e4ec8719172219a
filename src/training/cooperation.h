// SPDX-License-Identifier: Apache-2.0
// Members of a node set that learn together, each from its own samples.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/units.h"
#include "training/learner.h"
#include "training/samples.h"

namespace espalier {

struct Member {
  std::string name;
  Samples samples;  // its own; it never gets to see those of another
};

struct CooperationOptions {
  // Epochs that each member trains before all are averaged.
  int local_epochs = 1;
};

struct MemberOutcome {
  std::string name;
  EpochOutcome last;  // of its last local epoch
  Seconds time{};     // of all of them
};

struct CooperationOutcome {
  EpochEnd end = EpochEnd::Finished;  // otherwise that of the first member that didn't finish
  Network network;                    // the average; the shared network where not finished
  Loss loss{};                        // mean over the samples of all, in their last local epoch
  std::vector<MemberOutcome> members{};
};

// One cooperative epoch: every member starts from the shared network, trains on its own samples,
// and the results are averaged by the number of samples. Members train one after another, each with
// a learner of its own. Epoch n of the cooperation is local epochs n·local_epochs and following.
// Throws as the learners do, and Error{BadInput} where there is no member.
CooperationOutcome train_together(const Network& shared, std::span<const Member> members,
                                  const Epoch& epoch, const CooperationOptions& options,
                                  const LearnerFactory& make_learner);

}  // namespace espalier
