// SPDX-License-Identifier: Apache-2.0
// One picture of any size, as image files hold it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "datasets/dataset.h"
#include "datasets/file_bytes.h"
#include "datasets/limits.h"

namespace espalier {

// Pixels are [row][column][channel]; one channel (grey) or three (red, green, blue).
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 3;
  Bytes pixels;

  std::size_t row_bytes() const { return width * channels; }
};

// What a file's header says. Throws Error{BadInput} naming `file` where it is empty, beyond the
// limits, or more than `file_bytes` can hold even at `most_per_byte` bytes of pixels per byte.
struct PictureClaim {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t file_bytes = 0;
  std::size_t most_per_byte = 1;
};
void check_claim(const PictureClaim& claim, const PictureLimits& limits, std::string_view file);

// PNG, JPEG or PPM/PGM, told apart by their first bytes, whatever the name of the file.
Picture decode_picture(ByteView bytes, const PictureLimits& limits, std::string_view file);
Picture read_picture(const std::filesystem::path& path);

// `picture` as one more image with that label: grey is repeated for colour images, colour becomes
// grey by the weights of ITU-R BT.601. REQUIRES: the size of the images.
void append(Images& images, const Picture& picture, std::uint16_t label);

}  // namespace espalier
