// SPDX-License-Identifier: Apache-2.0
// How estimators are fitted, and what is told of it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>

#include "networks/tensors.h"

namespace espalier {

struct FitOptions {
  // Curves, or changes, in one step.
  int batch = 16;
  double learning_rate = 1e-3;
  // Steps along longer gradients are shortened to this length.
  double longest_gradient = 1.0;
  // Stop when so many epochs in a row were no better on the validation part than the best one.
  int patience = 30;
  // Stop in any case after so many.
  int most_epochs = 400;
  // Units of the LSTM. Fewer forecast faster, more follow odder curves.
  int hidden = 32;
  // Decides the first weights and the order of the examples. The same seed gives the same bits.
  std::uint64_t seed = 1;
};

// Throws Error{BadInput} where an option makes no sense.
void validate(const FitOptions& options);

enum class FitEnd {
  Settled,    // the validation part got no better
  Limit,      // most_epochs
  Stopped,    // somebody asked to
  Divergent,  // the loss was no number any more
};

// After each epoch. The loss is that of the fit, not of a trained network: squared plus tilted
// errors, in units of a typical change.
struct FitProgress {
  int epoch = 0;  // 1, 2, …
  double loss = 0;
  double validation_loss = 0;
  int best_epoch = 0;
  double best_validation_loss = std::numeric_limits<double>::infinity();
};

struct FitWatch {
  std::function<void(const FitProgress&)> progress{};
  std::stop_token stop{};
};

struct FittedNetwork {
  Tensors weights;  // of the best epoch; the first ones where there was none
  FitProgress last;
  FitEnd end = FitEnd::Settled;
};

}  // namespace espalier
