// SPDX-License-Identifier: Apache-2.0
// Protocol buffers by hand: a tag, a number of seven bits per byte, lowest first.
#include "messages/piece_front.h"

#include "messages/codec.h"

namespace espalier {
namespace {

// Fields of espalier.proto: number << 3 | type, 0 for numbers and 2 for bytes.
constexpr char kPieceBytesTag = 1 << 3 | 2;
constexpr char kPutOffsetTag = 3 << 3;
constexpr char kPutBytesTag = 4 << 3 | 2;

constexpr unsigned kMoreToCome = 0x80;

void add_number(std::string& text, std::uint64_t number) {
  for (; number >= kMoreToCome; number >>= 7U)
    text += static_cast<char>((number & 0x7fU) | kMoreToCome);
  text += static_cast<char>(number);
}

// Takes what it reads away. No number where it ends too early, or goes beyond 63 bits.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 63 && !text.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if ((byte & kMoreToCome) == 0) return number;
  }
  return std::nullopt;
}

bool take_tag(std::string_view& text, char tag) {
  if (!text.starts_with(tag)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<FoundPiece> find_bytes(std::string_view text, char tag, const FoundPiece& so_far,
                                     std::size_t message) {
  const std::size_t before = text.size();
  if (!take_tag(text, tag)) return std::nullopt;
  const auto size = take_number(text);
  const std::size_t begin = so_far.begin + before - text.size();
  const bool is_sound = size && *size > 0 && *size <= kLargestPiece && begin + *size == message;
  return is_sound ? std::optional(FoundPiece{so_far.offset, begin}) : std::nullopt;
}

}  // namespace

std::string piece_front(std::size_t bytes) {
  std::string text(1, kPieceBytesTag);
  add_number(text, bytes);
  return text;
}

std::string put_piece_front(std::uint64_t offset, std::size_t bytes) {
  std::string text;
  if (offset != 0) {
    text += kPutOffsetTag;
    add_number(text, offset);
  }
  text += kPutBytesTag;
  add_number(text, bytes);
  return text;
}

std::optional<FoundPiece> find_piece(std::string_view start, std::size_t message) {
  return find_bytes(start, kPieceBytesTag, {}, message);
}

std::optional<FoundPiece> find_put_piece(std::string_view start, std::size_t message) {
  std::string_view text = start;
  FoundPiece found;
  if (take_tag(text, kPutOffsetTag)) {
    const auto offset = take_number(text);
    if (!offset) return std::nullopt;
    found = {*offset, start.size() - text.size()};
  }
  return find_bytes(text, kPutBytesTag, found, message);
}

}  // namespace espalier
