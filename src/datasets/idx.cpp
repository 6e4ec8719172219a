// SPDX-License-Identifier: Apache-2.0
#include "datasets/idx.h"

#include "core/error.h"
#include "datasets/limits.h"
#include "datasets/picture.h"
#include "datasets/resize.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr const char* kAgain = "the file is cut off or damaged; obtain it again";
constexpr std::size_t kMostDimensions = 3;
constexpr std::uint8_t kUnsignedBytes = 0x08;

std::size_t big_endian(ByteView bytes) {
  std::size_t value = 0;
  for (const std::uint8_t byte : bytes.first(4)) value = value << 8U | byte;
  return value;
}

std::size_t dimension_count(ByteView bytes, std::string_view file) {
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0) {
    refuse(file, "not an IDX file: it does not begin with two zero bytes", kAgain);
  }
  if (bytes[2] != kUnsignedBytes) {
    refuse(file, "IDX values of type " + counted(bytes[2]) + "; only unsigned bytes (8) are read",
           "convert the values to bytes");
  }
  const std::size_t count = bytes[3];
  if (count == 0 || count > kMostDimensions || bytes.size() < 4 + 4 * count) {
    refuse(file,
           "an IDX file of " + counted(count, "dimension", "dimensions") + " in " +
               counted(bytes.size(), "byte", "bytes"),
           kAgain);
  }
  return count;
}

// Sizes are checked one by one against what is there, so that their product cannot overflow.
std::size_t checked_product(const IdxArray& array, std::string_view file) {
  std::size_t product = 1;
  for (const std::size_t size : array.shape) {
    if (size == 0) refuse(file, "an IDX file with nothing in it", kAgain);
    if (size > array.values.size() / product) {
      refuse(file,
             "the header asks for more than the " + counted(array.values.size()) +
                 " bytes that follow it",
             kAgain);
    }
    product *= size;
  }
  return product;
}

void check_pair(const IdxPair& pair) {
  if (pair.images.shape.size() != 3) {
    refuse(pair.images_file,
           "not images: " + counted(pair.images.shape.size(), "dimension", "dimensions") +
               " instead of 3");
  }
  if (pair.labels.shape.size() != 1) {
    refuse(pair.labels_file,
           "not labels: " + counted(pair.labels.shape.size(), "dimension", "dimensions") +
               " instead of 1");
  }
  const std::size_t images = pair.images.shape[0];
  if (images != pair.labels.shape[0]) {
    refuse(pair.labels_file,
           counted(pair.labels.shape[0], "label", "labels") + " for " +
               counted(images, "image", "images") + " of " + pair.images_file,
           "the two files must be of the same data set");
  }
  refuse_too_many(images, pair.images_file);
  check_claim({pair.images.shape[2], pair.images.shape[1], pair.images.values.size(), 1}, {},
              pair.images_file);
}

Picture picture_at(const IdxArray& images, std::size_t index) {
  Picture picture{images.shape[2], images.shape[1], 1, {}};
  const std::size_t size = picture.width * picture.height;
  const ByteView pixels = images.values.subspan(index * size, size);
  picture.pixels.assign(pixels.begin(), pixels.end());
  return picture;
}

}  // namespace

IdxArray parse_idx(ByteView bytes, std::string_view file) {
  const std::size_t dimensions = dimension_count(bytes, file);
  IdxArray array{{}, bytes.subspan(4 + 4 * dimensions)};
  for (std::size_t i = 0; i < dimensions; ++i) {
    array.shape.push_back(big_endian(bytes.subspan(4 + 4 * i)));
  }
  const std::size_t product = checked_product(array, file);
  if (product != array.values.size()) {
    refuse(file, counted(array.values.size() - product, "byte", "bytes") + " after the last value",
           kAgain);
  }
  return array;
}

Images idx_images(const IdxPair& pair, const IdxOptions& options) {
  ESPALIER_CHECK(options.channels == 1 || options.channels == 3);
  check_pair(pair);
  Images images;
  images.channels = options.channels;
  images.pixels.reserve(pair.images.shape[0] * images.bytes_per_image());
  for (std::size_t i = 0; i < pair.images.shape[0]; ++i) {
    append(images, framed(picture_at(pair.images, i), kSide), pair.labels.values[i]);
  }
  return images;
}

}  // namespace espalier
