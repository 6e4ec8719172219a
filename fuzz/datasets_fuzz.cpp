// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of a data set: read to something sound, or refused with a reason; no crash,
// no hang, bounded memory. The first byte chooses the reader.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "datasets/cifar.h"
#include "datasets/cifar_strip.h"
#include "datasets/class_names.h"
#include "datasets/gzip.h"
#include "datasets/idx.h"
#include "datasets/images.h"
#include "datasets/picture.h"
#include "datasets/resize.h"
#include "datasets/synthetic.h"

namespace {

using namespace espalier;

constexpr std::size_t kMostUnpacked = 1U << 20U;
constexpr PictureLimits kLimits{.side = 1U << 12U, .pixels = 1U << 18U};

void demand(bool condition) {
  if (!condition) std::abort();
}

std::string_view text_of(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void read_cifar_10(ByteView bytes) {
  demand(is_sound(parse_cifar(bytes, CifarKind::Cifar10, "f"), 10));
}

void read_cifar_100(ByteView bytes) {
  demand(is_sound(parse_cifar(bytes, CifarKind::Cifar100, "f"), 100));
}

// The second byte says how many of the following are the file of labels.
void read_idx(ByteView bytes) {
  if (bytes.empty() || bytes.size() - 1 < bytes[0]) return;
  const ByteView labels = bytes.subspan(1, bytes[0]);
  const ByteView images = bytes.subspan(1U + bytes[0]);
  demand(is_sound(idx_images({parse_idx(images, "f"), parse_idx(labels, "f"), "f", "f"}, {}), 256));
}

void read_gzip(ByteView bytes) {
  demand(gunzip(bytes, kMostUnpacked, "f").size() <= kMostUnpacked);
}

void read_compressed_idx(ByteView bytes) {
  const Bytes plain = gunzip(bytes, kMostUnpacked, "f");
  demand(parse_idx(plain, "f").values.size() <= kMostUnpacked);
}

void read_one_picture(ByteView bytes) {
  const Picture picture = decode_picture(bytes, kLimits, "f");
  demand(picture.pixels.size() == picture.row_bytes() * picture.height);
  demand(resized(picture, kSide).pixels.size() == picture.channels * kSide * kSide);
  demand(framed(picture, kSide).pixels.size() == picture.channels * kSide * kSide);
}

void read_names(ByteView bytes) {
  for (const auto& name : parse_class_names(text_of(bytes), "f")) demand(!name.empty());
}

void read_labels(ByteView bytes) {
  for (const std::uint8_t label : parse_label_list(text_of(bytes), "f")) demand(label < 10);
}

void read_parameters(ByteView bytes) { parse_synthetic(text_of(bytes)); }

constexpr std::array kReaders{read_cifar_10,    read_cifar_100, read_idx,
                              read_gzip,        read_names,     read_compressed_idx,
                              read_one_picture, read_labels,    read_parameters};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    kReaders[data[0] % kReaders.size()](ByteView(data + 1, size - 1));
  } catch (const Error& error) {
    demand(error.code() == ErrorCode::BadInput && *error.what() != '\0');
  }
  return 0;
}
