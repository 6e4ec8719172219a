// SPDX-License-Identifier: Apache-2.0
#include "datasets/picture.h"

#include <cmath>

#include "datasets/jpeg_picture.h"
#include "datasets/netpbm_picture.h"
#include "datasets/png_picture.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

Picture decode(const Bytes& bytes, const PictureLimits& limits = {}) {
  return decode_picture(bytes, limits, "f");
}

// Soft, as JPEG likes it.
Picture soft_picture(std::size_t channels) {
  Picture picture{40, 24, channels, {}};
  for (std::size_t i = 0; i < 40 * 24; ++i) {
    for (std::size_t c = 0; c < channels; ++c) {
      picture.pixels.push_back(static_cast<std::uint8_t>(20 + 3 * (i % 40) + 40 * c + i / 40));
    }
  }
  return picture;
}

int largest_difference(const Bytes& a, const Bytes& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Png, GivesBackEveryPixel) {
  for (const std::size_t channels : {1U, 3U}) {
    const Picture picture = sample_picture(13, 7, channels);
    const Picture again = decode(png_of(picture));
    EXPECT_EQ(again.width, 13U);
    EXPECT_EQ(again.height, 7U);
    EXPECT_EQ(again.pixels, picture.pixels);
  }
}

TEST(Png, RefusesEveryCutAndWhatFollows) {
  Bytes bytes = png_of(sample_picture(9, 9, 3));
  for (std::size_t length = 8; length < bytes.size(); ++length) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_TRUE(refuses([&] { decode(cut); }, "f: the PNG does not end as one"));
  }
  bytes.push_back(0);
  EXPECT_TRUE(refuses([&] { decode(bytes); }, "followed by other bytes"));
}

TEST(Png, RefusesDamage) {
  Bytes bytes = png_of(sample_picture(9, 9, 3));
  bytes[bytes.size() / 2] ^= 0x10U;
  EXPECT_TRUE(refuses([&] { decode(bytes); }, "f: damaged PNG"));
}

// The header's checksum is made to fit, so that only its size is wrong.
Bytes png_claiming(std::uint32_t width, std::uint32_t height) {
  Bytes bytes = png_of(sample_picture(2, 2, 3));
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  };
  put(16, width);
  put(20, height);
  put(29, static_cast<std::uint32_t>(crc32(0, &bytes[12], 17)));
  return bytes;
}

TEST(Png, IsNotFooledByAbsurdSizes) {
  EXPECT_TRUE(refuses([] { decode(png_claiming(900'000, 900'000)); }, "too many"));
  EXPECT_TRUE(refuses([] { decode(png_claiming(5000, 5000)); }, "cannot be in"));
  EXPECT_TRUE(refuses([] { decode(png_claiming(0, 1)); }, "damaged PNG"));
  EXPECT_TRUE(refuses([] { decode(png_claiming(0x7fffffff, 0x7fffffff)); }, "f: "));
}

TEST(Jpeg, IsCloseToWhatWasCompressed) {
  for (const JpegKind kind : {JpegKind::Baseline, JpegKind::Progressive}) {
    const Picture grey = decode(jpeg_of(soft_picture(1), kind));
    EXPECT_EQ(grey.channels, 1U);
    EXPECT_LE(largest_difference(grey.pixels, soft_picture(1).pixels), 4);
    const Picture colour = decode(jpeg_of(soft_picture(3), kind));
    ASSERT_EQ(colour.pixels.size(), 40U * 24 * 3);
    EXPECT_LE(largest_difference(colour.pixels, soft_picture(3).pixels), 12);
  }
}

TEST(Jpeg, RefusesEveryCut) {
  for (const JpegKind kind : {JpegKind::Baseline, JpegKind::Progressive}) {
    const Bytes bytes = jpeg_of(soft_picture(3), kind);
    for (std::size_t length = 3; length < bytes.size(); ++length) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_TRUE(refuses([&] { decode(cut); }, "f: ")) << length;
    }
  }
}

Bytes jpeg_claiming(std::uint16_t side) {
  Bytes bytes = jpeg_of(soft_picture(1));
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
    if (bytes[i] != 0xff || bytes[i + 1] != 0xc0) continue;  // start of frame
    bytes[i + 5] = bytes[i + 7] = static_cast<std::uint8_t>(side >> 8U);
    bytes[i + 6] = bytes[i + 8] = static_cast<std::uint8_t>(side);
    return bytes;
  }
  ADD_FAILURE() << "no start of frame";
  return bytes;
}

TEST(Jpeg, IsNotFooledByAbsurdSizes) {
  EXPECT_TRUE(refuses([] { decode(jpeg_claiming(60'000)); }, "too many"));
  EXPECT_TRUE(refuses([] { decode(jpeg_claiming(5000)); }, "cannot be in"));
}

TEST(Jpeg, SaysWhatLibjpegFound) {
  Bytes bytes = jpeg_of(soft_picture(1));
  bytes[3] = 0xc4;  // its first segment becomes a bad table
  EXPECT_TRUE(refuses([&] { decode(bytes); }, "f: damaged JPEG: "));
}

TEST(Netpbm, ReadsBinaryAndText) {
  const Picture picture = sample_picture(5, 3, 3);
  EXPECT_EQ(decode(ppm_of(picture)).pixels, picture.pixels);
  EXPECT_EQ(decode(ppm_of(sample_picture(5, 3, 1))).pixels, sample_picture(5, 3, 1).pixels);
  const Picture text = decode(bytes_of("P2 # a comment\n2\t1\n# more\n10\n0 10\n"));
  EXPECT_EQ(text.pixels, (Bytes{0, 255}));
  EXPECT_EQ(decode(bytes_of("P3 1 1 255 1 2 3")).pixels, (Bytes{1, 2, 3}));
}

TEST(Netpbm, ScalesSixteenBits) {
  Bytes bytes = bytes_of("P5 2 1 65535\n");
  bytes.insert(bytes.end(), {0xff, 0xff, 0x80, 0x00});
  EXPECT_EQ(decode(bytes).pixels, (Bytes{255, 128}));
}

TEST(Netpbm, RefusesEveryCutAndWhatFollows) {
  Bytes bytes = ppm_of(sample_picture(5, 3, 3));
  for (std::size_t length = 2; length < bytes.size(); ++length) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_TRUE(refuses([&] { decode(cut); }, "f: ")) << length;
  }
  bytes.push_back('\n');
  EXPECT_TRUE(refuses([&] { decode(bytes); }, "bytes follow the last pixel"));
}

TEST(Netpbm, RefusesNonsense) {
  const auto refuses_text = [](std::string text, std::string_view what) {
    return refuses([&] { decode(bytes_of(text)); }, what);
  };
  EXPECT_TRUE(refuses_text("P6 x 1 255\nabc", "no width"));
  EXPECT_TRUE(refuses_text("P6 99999999999999999999 1 255\n", "absurd width"));
  EXPECT_TRUE(refuses_text("P6 0 1 255\n", "without pixels"));
  EXPECT_TRUE(refuses_text("P6 9000 9000 255\n", "too many"));
  EXPECT_TRUE(refuses_text("P6 3000 3000 255\n", "cannot be in"));
  EXPECT_TRUE(refuses_text("P5 1 1 0\na", "largest sample is 0"));
  EXPECT_TRUE(refuses_text("P2 1 1 9 10", "a sample is 10"));
  EXPECT_TRUE(refuses_text("P2 1 1 9 1 1", "text follows"));
  EXPECT_TRUE(refuses_text("P5 1 1 9\n\x0a", "a sample is 10"));
}

TEST(Picture, OfUnknownKindIsRefused) {
  EXPECT_TRUE(refuses([] { decode(bytes_of("GIF89a")); }, "f: neither PNG nor JPEG"));
}

TEST(Picture, HeedsTheLimits) {
  const Bytes png = png_of(sample_picture(11, 11, 1));
  EXPECT_TRUE(refuses([&] { decode(png, {.side = 100, .pixels = 120}); }, "11×11 pixels"));
  EXPECT_TRUE(refuses([&] { decode(png, {.side = 10, .pixels = 1000}); }, "11×11 pixels"));
  EXPECT_EQ(decode(png, {.side = 11, .pixels = 121}).width, 11U);
}

TEST(Picture, BecomesAPlanarImage) {
  Images images;
  images.height = 1;
  images.width = 2;
  append(images, Picture{2, 1, 3, {1, 2, 3, 4, 5, 6}}, 7);
  append(images, Picture{2, 1, 1, {8, 9}}, 0);
  EXPECT_EQ(images.pixels, (Bytes{1, 4, 2, 5, 3, 6, 8, 9, 8, 9, 8, 9}));
  EXPECT_EQ(images.labels, (std::vector<std::uint16_t>{7, 0}));
}

TEST(Picture, BecomesGreyWhereAsked) {
  Images images;
  images.channels = images.height = images.width = 1;
  append(images, Picture{1, 1, 3, {255, 0, 0}}, 0);
  append(images, Picture{1, 1, 3, {200, 200, 200}}, 0);
  EXPECT_EQ(images.pixels, (Bytes{76, 200}));
}

}  // namespace
}  // namespace espalier
