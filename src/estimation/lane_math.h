// SPDX-License-Identifier: Apache-2.0
// Functions of one row of lanes, for lane_loops.cpp alone: inlined into what is compiled for
// several instruction sets, vectors must not cross a call.
#pragma once

#include <cstdint>
#include <cstring>

#include "estimation/lane_loops.h"

#define ESPALIER_INLINE static inline __attribute__((always_inline))

namespace espalier {

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using LaneBits = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));

ESPALIER_INLINE Lanes load(const LaneRow& row) {
  Lanes lanes;
  std::memcpy(&lanes, row.of.data(), sizeof lanes);
  return lanes;
}

ESPALIER_INLINE void store(LaneRow& row, const Lanes& lanes) {
  std::memcpy(row.of.data(), &lanes, sizeof lanes);
}

ESPALIER_INLINE Lanes at_least(const Lanes& x, float low) {
  const Lanes bound = Lanes{} + low;
  return bound > x ? bound : x;
}

ESPALIER_INLINE Lanes at_most(const Lanes& x, float high) {
  const Lanes bound = Lanes{} + high;
  return bound < x ? bound : x;
}

// At most `end` away from 0.
ESPALIER_INLINE Lanes within(const Lanes& x, float end) { return at_most(at_least(x, -end), end); }

// 2ˣ, relative error about 2e-7, and exactly 1 at 0. REQUIRES: |x| ≤ 125.
ESPALIER_INLINE Lanes power_of_two(const Lanes& x) {
  // x = n + r with |r| ≤ ½; adding 1.5·2^23 rounds to an integer.
  constexpr float kRound = 0x1.8p23F;
  const Lanes rounded = x + kRound;
  const Lanes r = x - (rounded - kRound);
  // Through 2ʳ at the six Chebyshev nodes.
  Lanes power = r * 0.00133908633F + 0.00967603177F;
  power = power * r + 0.0555035695F;
  power = power * r + 0.240221068F;
  power = power * r + 0.693147182F;
  power = power * r + 1.0F;
  // n sits in the low bits of `rounded`: into the exponent with it.
  return (Lanes)((LaneBits)power + ((LaneBits)rounded << 23));
}

// ln(1 + e) for 0 ≤ e ≤ 1.
ESPALIER_INLINE Lanes log_of_one_plus(const Lanes& e) {
  const Lanes s = e / (e + 2.0F);
  const Lanes s2 = s * s;
  Lanes sum = s2 * (1.0F / 13) + 1.0F / 11;
  sum = sum * s2 + 1.0F / 9;
  sum = sum * s2 + 1.0F / 7;
  sum = sum * s2 + 1.0F / 5;
  sum = sum * s2 + 1.0F / 3;
  return 2.0F * (s + s * s2 * sum);
}

}  // namespace espalier
