// SPDX-License-Identifier: Apache-2.0
#include "datasets/draws.h"

#include <cmath>
#include <limits>

#include "core/portable_math.h"

namespace espalier {
namespace {

// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

Draws::Draws(std::uint64_t seed, std::string_view purpose, std::uint64_t number)
    : rng_(seed), key_{number, hash_of(purpose), 0} {}

std::uint64_t Draws::bits() {
  const std::uint64_t result = rng_.bits(key_);
  ++key_.index;
  return result;
}

double Draws::uniform() {
  const double result = rng_.uniform(key_);
  ++key_.index;
  return result;
}

double Draws::normal() {
  const double result = rng_.normal(key_);
  ++key_.index;
  return result;
}

std::uint64_t Draws::below(std::uint64_t count) {
  // What is left over above the last whole multiple would favour the small numbers.
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = most - most % count;
  std::uint64_t x = bits();
  while (x >= limit) x = bits();
  return x % count;
}

// Marsaglia and Tsang 2000; shapes below 1 by the way of shape + 1.
double Draws::log_gamma(double shape) {
  if (shape < 1) return log_gamma(shape + 1) + portable_log(uniform()) / shape;
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double log_v = portable_log(v);
    if (portable_log(uniform()) < x * x / 2 + d - d * v + d * log_v) return portable_log(d) + log_v;
  }
}

}  // namespace espalier
