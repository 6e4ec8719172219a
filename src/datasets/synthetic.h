// SPDX-License-Identifier: Apache-2.0
// Images made up on the spot, for tests, examples and first tries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "datasets/dataset.h"

namespace espalier {

struct SyntheticOptions {
  // 2 to 1,000.
  std::size_t classes = 10;
  // Of each class; the images of all classes are at most 200,000.
  std::size_t train_per_class = 500;
  std::size_t test_per_class = 100;
  // Standard deviation of each pixel, of 255.
  double noise = 40;
  std::uint64_t seed = 1;
};

// Each class has a soft pattern of colours; an image shows it moved by up to eight pixels, at a
// contrast of its own, mixed with a soft pattern that means nothing, under noise. A small network
// learns it gradually, over several epochs. Classes take turns in the order of the images. The same
// options give the same bytes on every machine. Throws Error{BadInput} for options out of bounds.
Dataset synthetic_dataset(const SyntheticOptions& options = {});

// "4x500": 4 classes with 500 training images each, and a fifth of that for testing; "4x500:7" with
// seed 7; "" the defaults. Throws Error{BadInput} for anything else.
SyntheticOptions parse_synthetic(std::string_view text);

}  // namespace espalier
