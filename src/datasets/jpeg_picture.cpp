// SPDX-License-Identifier: Apache-2.0
// libjpeg reports errors by a function that must not return: ours jumps back. So that no destructor
// is ever jumped over, only the functions of JpegDecoder that call setjmp call libjpeg, and they
// have no objects of their own.
#include "datasets/jpeg_picture.h"

#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it
#include <jpeglib.h>

#include "datasets/wording.h"

namespace espalier {
namespace {

// A block of 64 pixels takes a bit at least; twice that, to be safe.
constexpr std::size_t kMostJpegPixelsPerByte = 1024;

// A progressive file has about ten; each costs as much as the whole picture.
constexpr int kMostScans = 100;

struct ErrorExit {
  jpeg_error_mgr manager;  // first: libjpeg hands back a pointer to it
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void jump_back(j_common_ptr info) {
  auto* exit = reinterpret_cast<ErrorExit*>(info->err);
  (*info->err->format_message)(info, exit->message);
  std::longjmp(exit->back, 1);
}

// What libjpeg only warns of is damage all the same.
void refuse_warning(j_common_ptr info, int level) {
  if (level < 0) jump_back(info);
}

void limit_scans(j_common_ptr info) {
  if (info->is_decompressor == 0) return;
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMostScans) return;
  auto* exit = reinterpret_cast<ErrorExit*>(info->err);
  std::snprintf(exit->message, sizeof exit->message, "more than %d scans", kMostScans);
  std::longjmp(exit->back, 1);
}

class JpegDecoder {
 public:
  JpegDecoder() {
    info_.err = jpeg_std_error(&exit_.manager);
    exit_.manager.error_exit = jump_back;
    exit_.manager.emit_message = refuse_warning;
    progress_.progress_monitor = limit_scans;
  }
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  // Both are false after an error, which `message` tells.
  bool read_header(ByteView bytes);
  bool read_rows(std::uint8_t* pixels);

  const jpeg_decompress_struct& info() const { return info_; }
  const char* message() const { return exit_.message; }
  void choose_colour(J_COLOR_SPACE space) { info_.out_color_space = space; }

 private:
  jpeg_decompress_struct info_{};
  jpeg_progress_mgr progress_{};
  ErrorExit exit_{};
};

bool JpegDecoder::read_header(ByteView bytes) {
  if (setjmp(exit_.back) != 0) return false;
  jpeg_create_decompress(&info_);
  info_.progress = &progress_;
  jpeg_mem_src(&info_, bytes.data(), bytes.size());
  return jpeg_read_header(&info_, TRUE) == JPEG_HEADER_OK;
}

bool JpegDecoder::read_rows(std::uint8_t* pixels) {
  if (setjmp(exit_.back) != 0) return false;
  jpeg_start_decompress(&info_);
  while (info_.output_scanline < info_.output_height) {
    const std::size_t row_bytes = std::size_t{info_.output_width} * info_.output_components;
    JSAMPROW row = pixels + info_.output_scanline * row_bytes;
    jpeg_read_scanlines(&info_, &row, 1);
  }
  return jpeg_finish_decompress(&info_) != FALSE;
}

[[noreturn]] void refuse_damage(const JpegDecoder& decoder, std::string_view file) {
  refuse(file, "damaged JPEG: " + std::string(decoder.message()), "obtain the picture again");
}

// Throws for colours that we do not convert.
bool is_grey(const JpegDecoder& decoder, std::string_view file) {
  const J_COLOR_SPACE space = decoder.info().jpeg_color_space;
  if (space == JCS_GRAYSCALE) return true;
  if (space == JCS_YCbCr || space == JCS_RGB) return false;
  refuse(file, "a JPEG in CMYK or unknown colours", "convert it to RGB");
}

}  // namespace

bool is_jpeg(ByteView bytes) {
  return bytes.size() >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

Picture decode_jpeg(ByteView bytes, const PictureLimits& limits, std::string_view file) {
  JpegDecoder decoder;
  if (!decoder.read_header(bytes)) refuse_damage(decoder, file);
  const auto& info = decoder.info();
  check_claim({info.image_width, info.image_height, bytes.size(), kMostJpegPixelsPerByte}, limits,
              file);
  const bool grey = is_grey(decoder, file);
  decoder.choose_colour(grey ? JCS_GRAYSCALE : JCS_RGB);
  Picture picture{info.image_width, info.image_height, grey ? 1U : 3U, {}};
  picture.pixels.resize(picture.row_bytes() * picture.height);
  if (!decoder.read_rows(picture.pixels.data())) refuse_damage(decoder, file);
  return picture;
}

}  // namespace espalier
