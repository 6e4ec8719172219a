// SPDX-License-Identifier: Apache-2.0
#include "datasets/png_picture.h"

#include <algorithm>
#include <png.h>

#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::uint8_t kEnd[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};

// The most that deflate makes of one byte, times eight pixels in a byte.
constexpr std::size_t kMostPngPixelsPerByte = 1032 * 8;

// Frees what libpng keeps between its two calls. Its simplified interface returns errors: no
// longjmp crosses our frames.
class PngImage {
 public:
  PngImage() { image_.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image_); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  png_image* operator->() { return &image_; }
  png_image* raw() { return &image_; }

 private:
  png_image image_{};
};

[[noreturn]] void refuse_damage(PngImage& image, std::string_view file) {
  refuse(file, "damaged PNG: " + std::string(image->message), "obtain the picture again");
}

void check_end(ByteView bytes, std::string_view file) {
  const std::size_t length = std::min(bytes.size(), std::size(kEnd));
  if (std::ranges::equal(bytes.last(length), kEnd)) return;
  refuse(file, "the PNG does not end as one", "it is cut off or followed by other bytes");
}

}  // namespace

bool is_png(ByteView bytes) {
  return bytes.size() >= std::size(kSignature) &&
         std::ranges::equal(bytes.first(std::size(kSignature)), kSignature);
}

Picture decode_png(ByteView bytes, const PictureLimits& limits, std::string_view file) {
  check_end(bytes, file);
  PngImage image;
  if (png_image_begin_read_from_memory(image.raw(), bytes.data(), bytes.size()) == 0) {
    refuse_damage(image, file);
  }
  check_claim({image->width, image->height, bytes.size(), kMostPngPixelsPerByte}, limits, file);
  const bool colour = (image->format & PNG_FORMAT_FLAG_COLOR) != 0;
  image->format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture picture{image->width, image->height, colour ? 3U : 1U, {}};
  picture.pixels.resize(picture.row_bytes() * picture.height);
  const png_color black{};
  if (png_image_finish_read(image.raw(), &black, picture.pixels.data(), 0, nullptr) == 0) {
    refuse_damage(image, file);
  }
  return picture;
}

}  // namespace espalier
