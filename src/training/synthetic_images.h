// SPDX-License-Identifier: Apache-2.0
// Images for tests and benchmarks: made from a seed, the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "datasets/dataset.h"
#include "networks/architecture.h"

namespace espalier {

inline constexpr ImageShape kTinyImage{3, 8, 8};

// Noise: byte i of the pixels is the top byte of CounterRng(seed).bits({0, 1, i}); the label of
// image n is CounterRng(seed).bits({0, 2, n}) modulo the classes. There is nothing to learn but by
// heart.
Images noise_images(std::size_t count, const ImageShape& shape, int classes, uint64_t seed);

// As above, but brighter in rows that depend on the label: easy to learn.
Images striped_images(std::size_t count, const ImageShape& shape, int classes, uint64_t seed);

}  // namespace espalier
