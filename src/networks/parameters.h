// SPDX-License-Identifier: Apache-2.0
// The tensors that an architecture has: their names, shapes, and which of them are trained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "networks/architecture.h"
#include "networks/tensors.h"

namespace espalier {

enum class ParameterKind {
  Trained,    // the optimiser changes it
  Statistic,  // a running mean or variance of a batch norm
};

struct Parameter {
  std::string name;  // "conv1.weight"
  std::vector<int64_t> shape;
  ParameterKind kind = ParameterKind::Trained;
  LayerId layer = {};

  int64_t values() const;
};

// In the order of the layers; within one: weight, bias, running_mean, running_var.
// Throws as Shapes does.
std::vector<Parameter> parameters_of(const Architecture& architecture);

// All zero, but ones for the scales and variances of batch norms: a sound start for tests and for
// whoever initialises the rest.
Tensors blank_weights(const Architecture& architecture);

// One logit each. REQUIRES: a valid architecture.
int64_t classes_of(const Architecture& architecture);

}  // namespace espalier
