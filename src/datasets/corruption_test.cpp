// SPDX-License-Identifier: Apache-2.0
// Every single flipped bit in a file of every kind: refused with a reason, or read to something
// sound; never a crash.
#include <functional>

#include "datasets/cifar.h"
#include "datasets/gzip.h"
#include "datasets/idx.h"
#include "datasets/images.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

struct Format {
  const char* name;
  Bytes sample;
  std::function<bool(const Bytes&)> reads_soundly;
};

bool is_sound(const Picture& picture) {
  return picture.pixels.size() == picture.row_bytes() * picture.height;
}

bool decodes_soundly(const Bytes& bytes) {
  return is_sound(decode_picture(bytes, {.side = 4096, .pixels = 1U << 20U}, "f"));
}

bool idx_is_sound(const Bytes& bytes) {
  const IdxArray array = parse_idx(bytes, "f");
  std::size_t product = 1;
  for (const std::size_t size : array.shape) product *= size;
  return product == array.values.size();
}

std::vector<Format> all_formats() {
  return {
      {"cifar", cifar_of({{3}}),
       [](const Bytes& b) { return is_sound(parse_cifar(b, CifarKind::Cifar10, "f"), 10); }},
      {"idx", idx_of({2, 3, 4}, Bytes(24)), idx_is_sound},
      {"gzip", gzip_of(sample_picture(9, 9, 1).pixels),
       [](const Bytes& b) { return gunzip(b, 1000, "f").size() <= 1000; }},
      {"png", png_of(sample_picture(9, 9, 3)), decodes_soundly},
      {"jpeg", jpeg_of(sample_picture(17, 9, 3)), decodes_soundly},
      {"progressive jpeg", jpeg_of(sample_picture(17, 9, 3), JpegKind::Progressive),
       decodes_soundly},
      {"ppm", ppm_of(sample_picture(5, 4, 3)), decodes_soundly},
      {"text pgm", bytes_of("P2 # x\n3 2 99\n1 2 3 44 5 6\n"), decodes_soundly},
  };
}

bool refuses_or_reads_soundly(const Format& format, const Bytes& bytes) {
  try {
    return format.reads_soundly(bytes);
  } catch (const Error& error) {
    return error.code() == ErrorCode::BadInput && std::string_view(error.what()).starts_with("f: ");
  }
}

TEST(Corruption, OfAnyBitIsRefusedOrHarmless) {
  for (const Format& format : all_formats()) {
    ASSERT_TRUE(format.reads_soundly(format.sample)) << format.name;
    for (std::size_t bit = 0; bit < format.sample.size() * 8; ++bit) {
      Bytes bytes = format.sample;
      bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
      EXPECT_TRUE(refuses_or_reads_soundly(format, bytes)) << format.name << ", bit " << bit;
    }
  }
}

TEST(Corruption, ByACutIsAlwaysNoticed) {
  for (const Format& format : all_formats()) {
    // The last line end of a text may be missing.
    const std::size_t longest = format.sample.size() - (format.sample.back() == '\n' ? 1 : 0);
    for (std::size_t length = 0; length < longest; ++length) {
      const Bytes cut(format.sample.begin(),
                      format.sample.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_TRUE(refuses([&] { format.reads_soundly(cut); }, "f: ")) << format.name << length;
    }
  }
}

}  // namespace
}  // namespace espalier
