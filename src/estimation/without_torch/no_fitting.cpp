// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "estimation/torch/fit_estimators.h"

namespace espalier {
namespace {

[[noreturn]] void refuse_to_fit() {
  throw Error(
      ErrorCode::RunFailed, "this build cannot fit estimators",
      "install libtorch-dev and build with -DESPALIER_WITH_TORCH=ON, as the preset dev does");
}

}  // namespace

FittedNetwork fit_run_estimator(const RunSequences&, const FitOptions&, const FitWatch&) {
  refuse_to_fit();
}

FittedNetwork fit_change_estimator(const ChangeExamples&, const FitOptions&, const FitWatch&) {
  refuse_to_fit();
}

}  // namespace espalier
