// SPDX-License-Identifier: Apache-2.0
// Pieces of objects without copying them: in a message, the bytes of a piece come last, behind a
// short front.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

inline constexpr std::size_t kLongestPieceFront = 24;

// What to send before so many bytes of an object, so that both together are one message.
std::string piece_front(std::size_t bytes);
std::string put_piece_front(std::uint64_t offset, std::size_t bytes);

// A message that is such a front, and bytes from `begin` to its end.
struct FoundPiece {
  std::uint64_t offset = 0;  // in the object; 0 where it is not told
  std::size_t begin = 0;     // in the message
};

// `start`: the first kLongestPieceFront bytes of the message, or all of them. Nothing where the
// message is anything else, sound or not: the decoders of codec.h tell.
std::optional<FoundPiece> find_piece(std::string_view start, std::size_t message);
std::optional<FoundPiece> find_put_piece(std::string_view start, std::size_t message);

}  // namespace espalier
