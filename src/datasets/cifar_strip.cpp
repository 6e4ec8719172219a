// SPDX-License-Identifier: Apache-2.0
#include "datasets/cifar_strip.h"

#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kPixels = 32 * 32;

bool is_label(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse_list(std::size_t at, std::string_view file) {
  refuse(file, "byte " + counted(at) + " does not belong in a list like [3,8,8,0]",
         "the package is not the expected one");
}

}  // namespace

std::vector<std::uint8_t> parse_label_list(std::string_view text, std::string_view file) {
  std::vector<std::uint8_t> labels;
  while (text.ends_with('\n')) text.remove_suffix(1);
  // Labels and what is around them take turns: "[3,8]".
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char around = i == 0 ? '[' : i + 1 == text.size() ? ']' : ',';
    const bool label_here = i % 2 == 1;
    if (label_here ? !is_label(text[i]) : text[i] != around) refuse_list(i, file);
    if (label_here) labels.push_back(static_cast<std::uint8_t>(text[i] - '0'));
  }
  if (text.size() < 3 || text.size() % 2 == 0) refuse_list(text.size(), file);
  return labels;
}

Bytes cifar10_bytes(const Picture& strip, std::span<const std::uint8_t> labels,
                    std::string_view file) {
  if (strip.channels != 3 || strip.width != kPixels || strip.height != labels.size()) {
    refuse(file,
           counted(strip.width) + "×" + counted(strip.height) + " pixels in " +
               counted(strip.channels, "channel", "channels") + "; expected 1,024×" +
               counted(labels.size()) + " in 3",
           "the package is not the expected one");
  }
  Bytes bytes;
  bytes.reserve(strip.pixels.size() + labels.size());
  for (std::size_t row = 0; row < strip.height; ++row) {
    bytes.push_back(labels[row]);
    const ByteView pixels = ByteView(strip.pixels).subspan(row * strip.row_bytes());
    for (std::size_t i = 0; i < 3 * kPixels; ++i) {
      bytes.push_back(pixels[(i % kPixels) * 3 + i / kPixels]);
    }
  }
  return bytes;
}

}  // namespace espalier
