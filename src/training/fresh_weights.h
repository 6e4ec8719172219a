// SPDX-License-Identifier: Apache-2.0
// What a network knows before it has learned anything.
#pragma once

#include <cstdint>

#include "networks/tensors.h"

namespace espalier {

// Kernels and matrices uniform within ±√(6 / inputs), as He et al. (2015) derive for layers that a
// ReLU follows; the last layer within ±√(1 / inputs), so that no class is preferred much. Batch
// norms start as the identity, biases at zero. Value i of tensor T is a function of (seed, T's
// name, i) only, the same on every machine and in every version of libtorch:
// CounterRng(seed).uniform({FNV-1a(name), 0, i}), moved to the interval.
Network fresh_network(const Architecture& architecture, uint64_t seed);

}  // namespace espalier
