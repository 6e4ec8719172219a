// SPDX-License-Identifier: Apache-2.0
#include "estimation/fit_options.h"

#include <string>

#include "core/error.h"
#include "estimation/network_weights.h"

namespace espalier {
namespace {

void require_fit(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorCode::BadInput, "fit: " + what);
}

}  // namespace

void validate(const FitOptions& options) {
  require_fit(options.batch > 0, "the batch must be at least 1");
  require_fit(options.learning_rate > 0 && options.learning_rate <= 1,
              "the learning rate must be above 0 and at most 1");
  require_fit(options.longest_gradient > 0, "the longest gradient must be above 0");
  require_fit(options.patience > 0, "the patience must be at least 1 epoch");
  require_fit(options.most_epochs > 0, "there must be at least 1 epoch");
  require_fit(options.hidden > 0 && options.hidden <= kWidestLayer,
              "the LSTM must have 1 to " + std::to_string(kWidestLayer) + " units");
}

}  // namespace espalier
