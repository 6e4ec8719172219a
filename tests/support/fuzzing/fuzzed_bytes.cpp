// SPDX-License-Identifier: Apache-2.0
#include "support/fuzzing/fuzzed_bytes.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <random>
#include <sys/resource.h>

#include <gtest/gtest.h>

namespace espalier::support {
namespace {

using Clock = std::chrono::steady_clock;
using Random = std::mt19937_64;

constexpr std::size_t kLongestRandom = 400;
constexpr std::size_t kDamagedForEachRandom = 8;
// On a busy machine, under a sanitizer.
constexpr std::chrono::seconds kLong{10};
// In the unit of getrusage. A sanitizer holds back what was freed.
constexpr long kMuchKilobytes = 768L << 10U;

std::string random_bytes(Random& random) {
  std::string bytes(random() % kLongestRandom + 1, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

// A figure that is short, long, negative or none, where one was.
void replace_figure(std::string& bytes, Random& random) {
  constexpr const char* kFigures[] = {"0", "-1", "1e308", "99999999999999999999", "nan", "1.5", ""};
  const std::size_t from = bytes.find_first_of("0123456789", random() % bytes.size());
  if (from == std::string::npos) return;
  const std::size_t to = bytes.find_first_not_of("0123456789", from);
  bytes.replace(from, std::min(to, bytes.size()) - from, kFigures[random() % std::size(kFigures)]);
}

void damage(std::string& bytes, Random& random) {
  if (bytes.empty()) bytes = "x";
  const std::size_t at = random() % bytes.size();
  switch (random() % 6) {
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
    case 4:
      return replace_figure(bytes, random);
    default:
      bytes.erase(at, random() % 4);
  }
}

std::string damaged(const std::vector<std::string>& samples, Random& random) {
  std::string bytes = samples[random() % samples.size()];
  for (std::uint64_t left = random() % 4 + 1; left > 0; --left) damage(bytes, random);
  return bytes;
}

struct Answer {
  std::string again;
  std::string refusal;  // empty: understood
};

Answer answer_of(const Decoder& decoder, const std::string& bytes) {
  try {
    return {decoder.again(bytes), ""};
  } catch (const Error& error) {
    if (std::ranges::count(decoder.refusals, error.code()) == 1) return {"", error.what()};
    ADD_FAILURE() << "another code: " << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "no Error: " << error.what();
  }
  return {};
}

// How many bytes that were.
std::size_t try_on(const Decoder& decoder, const std::string& bytes) {
  const Clock::time_point begin = Clock::now();
  const Answer once = answer_of(decoder, bytes);
  EXPECT_LT(Clock::now() - begin, kLong);
  if (!once.again.empty()) {
    const Answer twice = answer_of(decoder, once.again);
    EXPECT_EQ(twice.again, once.again) << twice.refusal;
  }
  if (testing::Test::HasFailure()) ADD_FAILURE() << testing::PrintToString(bytes);
  return bytes.size();
}

long most_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void expect_sound(const Decoder& decoder, std::size_t bytes) {
  SCOPED_TRACE(decoder.name);
  const long before = most_memory();
  for (const std::string& sample : decoder.samples)
    EXPECT_EQ(answer_of(decoder, sample).refusal, "") << sample;
  Random random(kAllBytes);
  std::size_t tried = 0;
  while (tried < bytes && !testing::Test::HasFailure()) {
    tried += try_on(decoder, random_bytes(random));
    for (std::size_t i = 0; i < kDamagedForEachRandom; ++i)
      tried += try_on(decoder, damaged(decoder.samples, random));
  }
  EXPECT_LT(most_memory() - before, kMuchKilobytes);
}

}  // namespace

void expect_sound(const std::vector<Decoder>& decoders, std::size_t bytes) {
  for (const Decoder& decoder : decoders) expect_sound(decoder, bytes);
}

}  // namespace espalier::support
