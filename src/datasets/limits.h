// SPDX-License-Identifier: Apache-2.0
// What no data set exceeds, so that a hostile file cannot ask for all the memory.
#pragma once

#include <cstddef>
#include <string_view>

namespace espalier {

// Pictures of every kind are brought to this height and width: what the networks take.
constexpr int kSide = 32;

// Images of one data set, train or test: 3 GiB of pixels.
constexpr std::size_t kMostImages = 1'000'000;

// Throws Error{BadInput} naming `place` where `images` is more than that.
void refuse_too_many(std::size_t images, std::string_view place);

// One file of a data set, also once it is decompressed.
constexpr std::size_t kMostFileBytes = std::size_t{1} << 30U;

// One file that holds a single picture.
constexpr std::size_t kMostPictureBytes = std::size_t{1} << 26U;

// What a single picture may decode to.
struct PictureLimits {
  std::size_t side = 1U << 15U;    // of its height and of its width
  std::size_t pixels = 1U << 25U;  // 100 MB in colour
};

}  // namespace espalier
