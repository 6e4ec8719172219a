// SPDX-License-Identifier: Apache-2.0
// Forecasts as libtorch computes them: what the plain loops of ../network_forecast.h must match.
#pragma once

#include <memory>

#include "estimation/estimators.h"
#include "networks/tensors.h"

namespace espalier {

// Throw Error{BadInput} unless these are weights of such a network. Immutable; on one core.
std::unique_ptr<RunEstimator> torch_run_estimator(const Tensors& weights);
std::unique_ptr<ChangeEstimator> torch_change_estimator(const Tensors& weights);

}  // namespace espalier
