// SPDX-License-Identifier: Apache-2.0
// Logarithm, exponential and power with the same bits on every machine: nothing but +, −, ×, ÷ and
// integer operations, and no branches, so that loops over arrays vectorise.
#pragma once

#include <bit>
#include <cstdint>

namespace espalier {

// ln x for normal x > 0, to about 1e-15 absolute near 1, relative elsewhere.
inline double portable_log(double x) {
  // x = m · 2^k with m in [√½, √2).
  constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcdU;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t shifted = bits - kRootHalf + (std::uint64_t{1023} << 52U);
  const std::uint64_t biased = shifted >> 52U;  // k + 1023
  const double m = std::bit_cast<double>(bits - (biased << 52U) + (std::uint64_t{1023} << 52U));
  // 2^52 + biased, read as a double.
  const double k = std::bit_cast<double>(biased | 0x4330000000000000U) - (0x1p52 + 1023);
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double sum = 1.0 / 21;
  sum = sum * s2 + 1.0 / 19;
  sum = sum * s2 + 1.0 / 17;
  sum = sum * s2 + 1.0 / 15;
  sum = sum * s2 + 1.0 / 13;
  sum = sum * s2 + 1.0 / 11;
  sum = sum * s2 + 1.0 / 9;
  sum = sum * s2 + 1.0 / 7;
  sum = sum * s2 + 1.0 / 5;
  sum = sum * s2 + 1.0 / 3;
  // The leading term apart, so that it is not rounded with the others.
  return k * 0.69314718055994530942 + (2 * s + 2 * s * s2 * sum);
}

// e^x, relative error about 1e-15; x is taken as at least −700 and at most 700.
inline double portable_exp(double x) {
  x = x < -700 ? -700 : x;
  x = x > 700 ? 700 : x;
  // x = n·ln 2 + r with |r| ≤ ln 2 / 2; adding 1.5·2^52 rounds to an integer.
  constexpr double kRound = 0x1.8p52;
  const double rounded = x * 1.4426950408889634074 + kRound;
  const double n = rounded - kRound;
  const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
  double sum = 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  const double power = 1 + (r + r * r * sum);
  // n sits in the low bits of `rounded`: into the exponent with it.
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(power) +
                               (std::bit_cast<std::uint64_t>(rounded) << 52U));
}

// ln x^p for x ≥ 0; an x below 1e-300 counts as that.
inline double portable_log_pow(double x, double p) {
  return p * portable_log(x < 1e-300 ? 1e-300 : x);
}

// x^p for x ≥ 0, relative error about 1e-14; an x below 1e-300 counts as that.
inline double portable_pow(double x, double p) { return portable_exp(portable_log_pow(x, p)); }

}  // namespace espalier
