// SPDX-License-Identifier: Apache-2.0
#include "training/fresh_weights.h"

#include <cmath>
#include <string_view>

#include "networks/parameters.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

uint64_t fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

// Kernels and matrices have an input; biases and batch norms are rows.
bool has_inputs(const Parameter& parameter) { return parameter.shape.size() > 1; }

// Values that one output is computed from.
int64_t inputs_of(const Parameter& parameter) {
  return parameter.values() / parameter.shape.front();
}

void fill(std::vector<float>& values, double bound, uint64_t seed, uint64_t name) {
  const CounterRng rng(seed);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>((2 * rng.uniform({name, 0, i}) - 1) * bound);
  }
}

}  // namespace

Network fresh_network(const Architecture& architecture, uint64_t seed) {
  Tensors weights = blank_weights(architecture);
  const LayerId last{static_cast<int>(architecture.layers.size()) - 1};
  for (const Parameter& parameter : parameters_of(architecture)) {
    if (!has_inputs(parameter)) continue;
    const double gain = parameter.layer == last ? 1 : 6;
    const double bound = std::sqrt(gain / static_cast<double>(inputs_of(parameter)));
    fill(weights.at(parameter.name).values, bound, seed, fnv1a(parameter.name));
  }
  return {architecture, std::move(weights), {}};
}

}  // namespace espalier
