// SPDX-License-Identifier: Apache-2.0
// Tiny files of every kind, for tests.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <jpeglib.h>
#include <png.h>
#include <string>
#include <string_view>
#include <zlib.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "datasets/picture.h"
#include "support/temporary_folder.h"

namespace espalier {

inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

// True if `work` throws Error{BadInput} and its message or hint says `text`.
template <class Work>
testing::AssertionResult refuses(Work work, std::string_view text) {
  try {
    work();
  } catch (const Error& error) {
    const std::string said = std::string(error.what()) + "\n" + error.hint();
    const bool as_expected =
        error.code() == ErrorCode::BadInput && said.find(text) != std::string::npos;
    return (as_expected ? testing::AssertionSuccess() : testing::AssertionFailure()) << said;
  }
  return testing::AssertionFailure() << "nothing was refused";
}

// Every value differs from its neighbours.
inline Picture sample_picture(std::size_t width, std::size_t height, std::size_t channels) {
  Picture picture{width, height, channels, Bytes(width * height * channels)};
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    picture.pixels[i] = static_cast<std::uint8_t>(37 * i + i / 7);
  }
  return picture;
}

inline Picture plain_picture(std::size_t side, std::uint8_t value) {
  return {side, side, 3, Bytes(side * side * 3, value)};
}

inline Bytes png_of(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  Bytes bytes(size);
  const int written =
      png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr);
  EXPECT_NE(written, 0);
  bytes.resize(size);
  return bytes;
}

enum class JpegKind { Baseline, Progressive };

inline Bytes jpeg_of(const Picture& picture, JpegKind kind = JpegKind::Baseline) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = static_cast<JDIMENSION>(picture.width);
  info.image_height = static_cast<JDIMENSION>(picture.height);
  info.input_components = static_cast<int>(picture.channels);
  info.in_color_space = picture.channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  if (kind == JpegKind::Progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  for (std::size_t y = 0; y < picture.height; ++y) {
    auto* row = const_cast<JSAMPROW>(&picture.pixels[y * picture.row_bytes()]);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  Bytes bytes(memory, memory + size);
  std::free(memory);
  return bytes;
}

inline Bytes ppm_of(const Picture& picture) {
  Bytes bytes = bytes_of((picture.channels == 3 ? "P6 " : "P5 ") + std::to_string(picture.width) +
                         " " + std::to_string(picture.height) + " 255\n");
  bytes.insert(bytes.end(), picture.pixels.begin(), picture.pixels.end());
  return bytes;
}

inline Bytes gzip_of(ByteView plain) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  Bytes bytes(deflateBound(&stream, plain.size()) + 32);
  stream.next_in = const_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

inline Bytes idx_of(const std::vector<std::uint32_t>& shape, ByteView values) {
  Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t size : shape) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<std::uint8_t>(size >> static_cast<unsigned>(shift)));
    }
  }
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

// A record per element of `labels`, each with all its label bytes; all pixels of a record are its
// number.
inline Bytes cifar_of(const std::vector<Bytes>& labels) {
  Bytes bytes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    bytes.insert(bytes.end(), labels[i].begin(), labels[i].end());
    bytes.insert(bytes.end(), 3 * 32 * 32, static_cast<std::uint8_t>(i));
  }
  return bytes;
}

}  // namespace espalier
