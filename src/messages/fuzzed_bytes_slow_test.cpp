// SPDX-License-Identifier: Apache-2.0
// Ten million bytes into each decoder: random ones, and sound messages that were damaged. The same
// ones each time; fuzz/message_fuzz.cpp searches for others.
#include <cstdint>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/messages.h"

namespace espalier {
namespace {

constexpr std::size_t kBytes = 10'000'000;
constexpr std::size_t kLongest = 400;

using Random = std::mt19937_64;

std::string random_bytes(Random& random) {
  std::string bytes(random() % kLongest + 1, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

void damage(std::string& bytes, Random& random) {
  const std::size_t at = random() % bytes.size();
  switch (random() % 5) {
    case 0:
      bytes[at] = static_cast<char>(random());
      return;
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
      return;
    case 2:
      bytes.resize(at + 1);
      return;
    case 3:
      bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 40));
      return;
    default:
      bytes.erase(at, random() % 4);
      if (bytes.empty()) bytes = "x";
  }
}

std::string damaged(const std::string& sample, Random& random) {
  std::string bytes = sample;
  for (std::uint64_t left = random() % 4 + 1; left > 0; --left) damage(bytes, random);
  return bytes;
}

struct Tally {
  std::size_t bytes = 0;
  std::size_t understood = 0;
  std::size_t refused = 0;
};

// What is understood must survive another round; everything else must be refused as malformed.
void try_on(const MessageKind& kind, const std::string& bytes, Tally& tally) {
  tally.bytes += bytes.size();
  std::string once;
  try {
    once = kind.again(bytes);
  } catch (const Error& error) {
    ++tally.refused;
    ASSERT_TRUE(error.code() == ErrorCode::BadInput || error.code() == ErrorCode::NotAllowed);
    return;
  }
  ++tally.understood;
  ASSERT_EQ(kind.again(once), once);
}

TEST(FuzzedBytes, AreRefusedOrUnderstoodByEveryDecoder) {
  for (const MessageKind& kind : message_kinds()) {
    SCOPED_TRACE(kind.name);
    Random random(kBytes);
    Tally tally;
    while (tally.bytes < kBytes && !HasFatalFailure()) {
      try_on(kind, random_bytes(random), tally);
      for (int i = 0; i < 8; ++i) try_on(kind, damaged(kind.sample, random), tally);
    }
    EXPECT_GE(tally.bytes, kBytes);
    EXPECT_GT(tally.understood, 0U);
    EXPECT_GT(tally.refused, 0U);
  }
}

}  // namespace
}  // namespace espalier
