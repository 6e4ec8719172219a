// SPDX-License-Identifier: Apache-2.0
// What every reader does with images.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace espalier {

// `more` at the end of `images`. REQUIRES: the same shape.
void append(Images& images, const Images& more);

// As many pixels as the shape says, and all labels below `classes`.
bool is_sound(const Images& images, std::size_t classes);

// The indices of the images of each class, in their order.
std::vector<SampleList> samples_by_class(const Images& images, std::size_t classes);

// "0", "1", …: for classes that nobody named.
std::vector<std::string> numbered_classes(std::size_t count);

}  // namespace espalier
