// SPDX-License-Identifier: Apache-2.0
// The weights of the networks that estimate, by name.
//
// Run: an LSTM reads the losses ("lstm"), a layer sees the conditions and the place ("places"), one
// joins both ("joined"), and one gives for each epoch ahead the mean, the way down to the low and
// the way up to the high quantile ("output": all means first, then all ways down, then up).
// Pruning: two layers ("first", "second") and such an output. "mean" and "deviation" standardise
// inputs, "output.scale" is the unit of the outputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "networks/tensors.h"

namespace espalier {

struct RunShape {
  std::int64_t hidden = 32;  // of the LSTM
  std::int64_t places = 16;
  std::int64_t joined = 32;
  friend bool operator==(const RunShape&, const RunShape&) = default;
};

struct ChangeShape {
  std::int64_t first = 32;
  std::int64_t second = 32;
  friend bool operator==(const ChangeShape&, const ChangeShape&) = default;
};

inline constexpr std::int64_t kWidestLayer = 512;

struct WeightSpec {
  std::string name;
  std::vector<std::int64_t> shape;
};

std::vector<WeightSpec> weight_specs(const RunShape& shape);
std::vector<WeightSpec> weight_specs(const ChangeShape& shape);

// Throw Error{BadInput} unless these are exactly the weights of such a network, all of them finite,
// and no deviation or scale below 0.
RunShape run_shape(const Tensors& weights);
ChangeShape change_shape(const Tensors& weights);

}  // namespace espalier
