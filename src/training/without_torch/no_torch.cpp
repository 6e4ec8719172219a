// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "training/torch/torch_learner.h"

namespace espalier {

std::unique_ptr<Learner> torch_learner(const Network&, const LearnerOptions&) {
  throw Error(
      ErrorCode::RunFailed, "this build cannot train",
      "install libtorch-dev and build with -DESPALIER_WITH_TORCH=ON, as the preset dev does");
}

std::unique_ptr<Learner> torch_learner_in(BatchGroup&, const Network& network,
                                          const LearnerOptions& options) {
  return torch_learner(network, options);
}

LearnerFactory torch_learners(const LearnerOptions& options) {
  return [options](const Network& network) { return torch_learner(network, options); };
}

}  // namespace espalier
