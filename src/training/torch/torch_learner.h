// SPDX-License-Identifier: Apache-2.0
// Learners that compute with libtorch.
#pragma once

#include <memory>

#include "training/batch_group.h"
#include "training/learner.h"
#include "training/learner_options.h"

namespace espalier {

// Throws Error{BadInput} where the network or an option isn't valid, Error{RunFailed} in a build
// without libtorch.
std::unique_ptr<Learner> torch_learner(const Network& network, const LearnerOptions& options);

// Takes its part of each batch of `train`; the epoch is that of the whole group, and stops when one
// of them is asked to. Batch norms see one's own part only; what they remember is averaged in the
// end. All else is as for one alone. The group must outlive it.
std::unique_ptr<Learner> torch_learner_in(BatchGroup& group, const Network& network,
                                          const LearnerOptions& options);

// Makes all its learners with the same options.
LearnerFactory torch_learners(const LearnerOptions& options);

}  // namespace espalier
