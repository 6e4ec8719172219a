// SPDX-License-Identifier: Apache-2.0
#include "net/bytes.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

char letter_at(std::size_t position) { return static_cast<char>('a' + position % 26); }

std::string letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += letter_at(i);
  return text;
}

void fill_with_letters(std::span<const std::span<char>> room) {
  std::size_t position = 0;
  for (const std::span<char> part : room)
    for (char& c : part) c = letter_at(position++);
}

TEST(Bytes, AreSentFromWhereTheyWerePut) {
  for (const std::size_t size : {0, 1, 23, 8191, 8192, 8193, 8192 + 7, 3 * 8192, 131072, 262145}) {
    const grpc::ByteBuffer message = to_buffer("front", size, fill_with_letters);
    EXPECT_EQ(to_string(message), "front" + letters(size)) << size;
  }
}

TEST(Bytes, OfAMessageAreSeenWhereTheyLie) {
  const Message message(to_buffer("front", 20'000, fill_with_letters));
  EXPECT_EQ(message.size(), 20'005U);
  EXPECT_EQ(message.start(7), "frontab");
  std::string rest;
  for (const std::string_view part : message.from(7)) rest += part;
  EXPECT_EQ(rest, letters(20'000).substr(2));
}

}  // namespace
}  // namespace espalier
