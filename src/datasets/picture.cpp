// SPDX-License-Identifier: Apache-2.0
#include "datasets/picture.h"

#include "core/error.h"
#include "datasets/jpeg_picture.h"
#include "datasets/netpbm_picture.h"
#include "datasets/png_picture.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

std::uint8_t grey_at(const Picture& picture, std::size_t pixel) {
  if (picture.channels == 1) return picture.pixels[pixel];
  const std::uint8_t* rgb = &picture.pixels[pixel * 3];
  return static_cast<std::uint8_t>((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
}

std::string size_text(const PictureClaim& claim) {
  return counted(claim.width) + "×" + counted(claim.height) + " pixels";
}

}  // namespace

void check_claim(const PictureClaim& claim, const PictureLimits& limits, std::string_view file) {
  const std::size_t side = std::max(claim.width, claim.height);
  if (claim.width == 0 || claim.height == 0) refuse(file, "a picture without pixels");
  if (side > limits.side || claim.width * claim.height > limits.pixels) {
    refuse(file,
           size_text(claim) + " are too many; at most " + counted(limits.pixels) + " are read",
           "scale the picture down");
  }
  if (claim.width * claim.height / claim.most_per_byte > claim.file_bytes) {
    refuse(file, size_text(claim) + " cannot be in " + counted(claim.file_bytes) + " bytes",
           "the file is cut off or damaged");
  }
}

Picture decode_picture(ByteView bytes, const PictureLimits& limits, std::string_view file) {
  if (is_png(bytes)) return decode_png(bytes, limits, file);
  if (is_jpeg(bytes)) return decode_jpeg(bytes, limits, file);
  if (is_netpbm(bytes)) return decode_netpbm(bytes, limits, file);
  refuse(file, "neither PNG nor JPEG nor PPM/PGM", "remove the file or convert it to PNG");
}

Picture read_picture(const std::filesystem::path& path) {
  return decode_picture(read_file_bytes(path, kMostPictureBytes), {}, path.string());
}

void append(Images& images, const Picture& picture, std::uint16_t label) {
  const std::size_t pixels = picture.width * picture.height;
  const auto channels = static_cast<std::size_t>(images.channels);
  ESPALIER_CHECK(picture.width == static_cast<std::size_t>(images.width) &&
                 picture.height == static_cast<std::size_t>(images.height));
  for (std::size_t channel = 0; channel < channels; ++channel) {
    for (std::size_t i = 0; i < pixels; ++i) {
      const bool copy = channels == picture.channels;
      images.pixels.push_back(copy ? picture.pixels[i * channels + channel] : grey_at(picture, i));
    }
  }
  images.labels.push_back(label);
}

}  // namespace espalier
