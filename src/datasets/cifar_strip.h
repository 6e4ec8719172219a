// SPDX-License-Identifier: Apache-2.0
// CIFAR images packed as pictures of 1024 pixels per row, one image each, with a list of labels:
// how packages for browsers carry them. Turned into the binary layout.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "datasets/picture.h"

namespace espalier {

// "[3,8,8,0]": numbers of 0 to 9. Throws Error{BadInput} naming `file` for anything else.
std::vector<std::uint8_t> parse_label_list(std::string_view text, std::string_view file);

// The bytes of a CIFAR-10 file: row i of `strip` is the image with labels[i]. Throws
// Error{BadInput} naming `file` unless the strip is in colour, 1024 pixels wide, and has one row
// per label.
Bytes cifar10_bytes(const Picture& strip, std::span<const std::uint8_t> labels,
                    std::string_view file);

}  // namespace espalier
