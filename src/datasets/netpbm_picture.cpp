// SPDX-License-Identifier: Apache-2.0
#include "datasets/netpbm_picture.h"

#include <algorithm>

#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kLargestNumber = 1U << 24U;
constexpr std::string_view kKinds = "2356";  // after the P

bool is_space(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(std::uint8_t c) { return c >= '0' && c <= '9'; }

// Reads the file from its front to its end.
class Cursor {
 public:
  Cursor(ByteView bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  bool at_end() const { return at_ == bytes_.size(); }
  ByteView rest() const { return bytes_.subspan(at_); }

  // After white space and comments.
  std::size_t number(std::string_view what) {
    skip_space();
    if (at_end() || !is_digit(bytes_[at_])) refuse(file_, "no " + std::string(what), kHint);
    std::size_t value = 0;
    for (; !at_end() && is_digit(bytes_[at_]); ++at_) {
      value = value * 10 + (bytes_[at_] - '0');
      if (value > kLargestNumber) refuse(file_, "absurd " + std::string(what), kHint);
    }
    return value;
  }

  // The single character between the header and binary samples.
  void separator() {
    if (at_end() || !is_space(bytes_[at_])) refuse(file_, "no samples", kHint);
    ++at_;
  }

  std::size_t sample(std::size_t bytes) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value * 256 + bytes_[at_++];
    return value;
  }

  void skip_space() {
    while (!at_end() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#') skip_line();
      if (!at_end()) ++at_;
    }
  }

  static constexpr const char* kHint = "the file is damaged or not of this kind";

 private:
  void skip_line() {
    while (!at_end() && bytes_[at_] != '\n') ++at_;
  }

  ByteView bytes_;
  std::string_view file_;
  std::size_t at_ = 2;  // after "P6"
};

struct Header {
  bool as_text = false;
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 1;
  std::size_t maximum = 255;

  std::size_t samples() const { return width * height * channels; }
  std::size_t sample_bytes() const { return maximum > 255 ? 2 : 1; }
};

Header read_header(Cursor& cursor, std::uint8_t kind, std::string_view file) {
  Header header{kind < '5', 0, 0, (kind == '3' || kind == '6') ? 3U : 1U, 0};
  header.width = cursor.number("width");
  header.height = cursor.number("height");
  header.maximum = cursor.number("largest sample");
  if (header.maximum == 0 || header.maximum > 65535) {
    refuse(file, "the largest sample is " + counted(header.maximum) + "; it must be 1 to 65,535");
  }
  return header;
}

// A sample as text takes a digit and, unless it is the last, a space.
void check_length(const Header& header, const Cursor& cursor, std::string_view file) {
  const std::size_t rest = cursor.rest().size();
  const std::size_t needed =
      header.as_text ? 2 * header.samples() - 1 : header.samples() * header.sample_bytes();
  const bool fits = header.as_text ? rest >= needed : rest == needed;
  if (fits) return;
  refuse(file, counted(needed) + " bytes of samples are needed; " + counted(rest) + " are there",
         rest < needed ? "the file is cut off" : "bytes follow the last pixel");
}

std::uint8_t scaled(std::size_t sample, const Header& header, std::string_view file) {
  if (sample > header.maximum) {
    refuse(file,
           "a sample is " + counted(sample) + "; it must be at most " + counted(header.maximum),
           Cursor::kHint);
  }
  return static_cast<std::uint8_t>((sample * 255 + header.maximum / 2) / header.maximum);
}

std::size_t next_sample(Cursor& cursor, const Header& header) {
  return header.as_text ? cursor.number("sample") : cursor.sample(header.sample_bytes());
}

}  // namespace

bool is_netpbm(ByteView bytes) {
  return bytes.size() >= 2 && bytes[0] == 'P' &&
         kKinds.find(static_cast<char>(bytes[1])) != std::string_view::npos;
}

Picture decode_netpbm(ByteView bytes, const PictureLimits& limits, std::string_view file) {
  Cursor cursor(bytes, file);
  const Header header = read_header(cursor, bytes[1], file);
  check_claim({header.width, header.height, bytes.size(), 1}, limits, file);
  cursor.separator();
  check_length(header, cursor, file);
  Picture picture{header.width, header.height, header.channels, Bytes(header.samples())};
  for (std::uint8_t& pixel : picture.pixels)
    pixel = scaled(next_sample(cursor, header), header, file);
  cursor.skip_space();
  if (header.as_text && !cursor.at_end())
    refuse(file, "text follows the last pixel", Cursor::kHint);
  return picture;
}

}  // namespace espalier
