// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "datasets/cifar.h"
#include "datasets/cifar_strip.h"
#include "datasets/class_names.h"
#include "datasets/gzip.h"
#include "datasets/idx.h"
#include "datasets/images.h"
#include "datasets/sample_files.h"
#include "datasets/synthetic.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

using support::Decoder;

constexpr std::size_t kMostUnpacked = 1U << 20U;
constexpr PictureLimits kLimits{.side = 1U << 12U, .pixels = 1U << 18U};

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

ByteView view_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// `read` takes bytes and fails the test where what it understood is not sound.
template <class Read>
Decoder reader(const std::string& name, const std::vector<Bytes>& samples, Read read) {
  Decoder decoder{name, {}, [read](std::string_view bytes) {
                    read(view_of(bytes));
                    return std::string();
                  }};
  for (const Bytes& sample : samples) decoder.samples.push_back(text_of(sample));
  return decoder;
}

template <CifarKind kind, std::size_t classes>
void read_cifar(ByteView bytes) {
  EXPECT_TRUE(is_sound(parse_cifar(bytes, kind, "f"), classes));
}

const Bytes kIdxImages = idx_of({2, 3, 4}, Bytes(24, 9));
const Bytes kIdxLabels = idx_of({2}, Bytes{1, 0});

void read_idx_images(ByteView bytes) {
  const IdxArray labels = parse_idx(kIdxLabels, "l");
  EXPECT_TRUE(is_sound(idx_images({parse_idx(bytes, "f"), labels, "f", "l"}, {}), 256));
}

void read_idx_labels(ByteView bytes) {
  const IdxArray images = parse_idx(kIdxImages, "i");
  EXPECT_TRUE(is_sound(idx_images({images, parse_idx(bytes, "f"), "i", "f"}, {}), 256));
}

void read_packed_idx(ByteView bytes) {
  const Bytes plain = gunzip(bytes, kMostUnpacked, "f");
  EXPECT_LE(parse_idx(plain, "f").values.size(), kMostUnpacked);
}

void read_any_picture(ByteView bytes) {
  const Picture picture = decode_picture(bytes, kLimits, "f");
  EXPECT_EQ(picture.pixels.size(), picture.row_bytes() * picture.height);
}

void read_names(ByteView bytes) {
  const std::string text(bytes.begin(), bytes.end());
  for (const std::string& name : parse_class_names(text, "f")) EXPECT_FALSE(name.empty());
}

void read_labels(ByteView bytes) {
  const std::string text(bytes.begin(), bytes.end());
  for (const std::uint8_t label : parse_label_list(text, "f")) EXPECT_LT(label, 10);
}

TEST(FuzzedData, IsRefusedOrUnderstoodByEveryReader) {
  const Picture colour = sample_picture(9, 7, 3);
  const std::vector<Decoder> decoders{
      reader("CIFAR-10", {cifar_of({{3}})}, read_cifar<CifarKind::Cifar10, 10>),
      reader("CIFAR-100", {cifar_of({{3, 77}})}, read_cifar<CifarKind::Cifar100, 100>),
      reader("IDX images", {kIdxImages}, read_idx_images),
      reader("IDX labels", {kIdxLabels}, read_idx_labels),
      reader("packed IDX", {gzip_of(kIdxImages)}, read_packed_idx),
      reader("PNG", {png_of(colour), png_of(sample_picture(5, 5, 1))}, read_any_picture),
      reader("JPEG", {jpeg_of(colour), jpeg_of(colour, JpegKind::Progressive)}, read_any_picture),
      reader("PPM", {ppm_of(colour), ppm_of(sample_picture(5, 5, 1))}, read_any_picture),
      reader("names of classes", {bytes_of("cat\ndog\r\n\n")}, read_names),
      reader("list of labels", {bytes_of("[3,8,8,0]")}, read_labels),
      reader("synthetic", {bytes_of("4x500:7"), bytes_of("12x30")},
             [](ByteView bytes) { parse_synthetic(std::string(bytes.begin(), bytes.end())); }),
  };
  support::expect_sound(decoders, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
