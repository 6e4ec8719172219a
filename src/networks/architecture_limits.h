// SPDX-License-Identifier: Apache-2.0
// What no architecture may exceed, whoever wrote it: it may come from a file or a peer. Within
// these limits every product and sum in this folder fits into 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

constexpr std::size_t kMostLayers = 1024;
constexpr std::size_t kLongestName = 64;
constexpr int64_t kMostChannels = 65'536;              // also of a linear layer
constexpr int64_t kLargestSide = 1024;                 // of the image and of every feature map
constexpr int64_t kLargestKernel = 64;                 // also the largest stride
constexpr int64_t kMostFeatures = int64_t{1} << 28;    // values that one layer gives for one image
constexpr int64_t kMostParameters = int64_t{1} << 28;  // 1 GiB of floats

}  // namespace espalier
