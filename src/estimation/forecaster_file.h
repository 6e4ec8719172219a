// SPDX-License-Identifier: Apache-2.0
// Forecasters in files of estimators (estimator_file.h): what was learnt beside the networks, as
// tensors.
#pragma once

#include <filesystem>

#include "estimation/estimator_file.h"
#include "estimation/learning_forecaster.h"

namespace espalier {

// Figures are rounded to single precision.
Tensors tuning_tensors(const ForecastTuning& tuning);

// Throws Error{BadInput} unless these are exactly the tensors of a tuning, with sensible figures.
ForecastTuning tuning_from(const Tensors& tensors);

// Throws Error{BadInput} that begins with the path where the file is none of a forecaster.
LearningForecaster load_forecaster(const std::filesystem::path& path,
                                   const ForecastParts& parts = {});

}  // namespace espalier
