// SPDX-License-Identifier: Apache-2.0
// Learners that compute with libtorch.
#pragma once

#include <memory>

#include "training/learner.h"
#include "training/learner_options.h"

namespace espalier {

// Throws Error{BadInput} where the network or an option isn't valid, Error{RunFailed} in a build
// without libtorch.
std::unique_ptr<Learner> torch_learner(const Network& network, const LearnerOptions& options);

// Makes all its learners with the same options.
LearnerFactory torch_learners(const LearnerOptions& options);

}  // namespace espalier
