// SPDX-License-Identifier: Apache-2.0
#include "messages/piece_front.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "messages/codec.h"

namespace espalier {
namespace {

std::string start_of(const std::string& message) { return message.substr(0, kLongestPieceFront); }

PutPiece decoded_put_piece(const std::string& message) {
  return std::get<PutPiece>(decode_put_part(message));
}

TEST(PieceFront, AndBytesAreAMessage) {
  for (const std::size_t size : {1UL, 127UL, 128UL, 65'536UL, kLargestPiece}) {
    const std::string bytes(size, 'x');
    EXPECT_EQ(decode_piece(piece_front(size) + bytes), bytes) << size;
    for (const std::uint64_t offset : {0UL, 1UL, 127UL, 128UL, 37'000'000UL, 8UL << 30U}) {
      const PutPiece piece = decoded_put_piece(put_piece_front(offset, size) + bytes);
      EXPECT_EQ(piece.offset, offset);
      EXPECT_EQ(piece.bytes, bytes);
    }
  }
}

TEST(PieceFront, IsFoundAgain) {
  for (const std::uint64_t offset : {0UL, 1UL, 1UL << 20U, 1UL << 62U}) {
    const std::string front = put_piece_front(offset, kLargestPiece);
    ASSERT_LE(front.size(), kLongestPieceFront);
    const auto found = find_put_piece(front + "xx", front.size() + kLargestPiece);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->offset, offset);
    EXPECT_EQ(found->begin, front.size());
  }
  const auto found = find_piece(piece_front(5) + "bytes", 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, 2U);
}

TEST(PieceFront, IsNotFoundInAnythingElse) {
  EXPECT_FALSE(find_piece("", 0));
  EXPECT_FALSE(find_piece(piece_front(5) + "byte", 6)) << "too short";
  EXPECT_FALSE(find_piece(piece_front(5) + "bytes!", 8)) << "something behind it";
  EXPECT_FALSE(find_piece(piece_front(0), 2)) << "no bytes";
  EXPECT_FALSE(find_piece(piece_front(kLargestPiece + 1), 5 + kLargestPiece)) << "too many";
  EXPECT_FALSE(find_put_piece(encode(PutBegin{"a", {std::string(64, 'a'), 7}}), 40));
  EXPECT_FALSE(find_put_piece(put_piece_front(std::numeric_limits<std::uint64_t>::max(), 1), 13));
}

// A front that is taken for one means what the decoder takes it for.
TEST(PieceFront, OfDamagedMessagesAgreesWithTheDecoder) {
  std::mt19937_64 random(7);
  int found = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string message = encode_put_piece(random() % 300, std::string(random() % 140 + 1, 'x'));
    message[random() % std::min<std::size_t>(message.size(), 5)] = static_cast<char>(random());
    if (const auto piece = find_put_piece(start_of(message), message.size())) {
      ++found;
      const PutPiece decoded = decoded_put_piece(message);
      ASSERT_EQ(decoded.offset, piece->offset);
      ASSERT_EQ(decoded.bytes, message.substr(piece->begin));
    }
    if (const auto piece = find_piece(start_of(message), message.size())) {
      ASSERT_EQ(decode_piece(message), message.substr(piece->begin));
    }
  }
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace espalier
