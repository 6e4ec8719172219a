// SPDX-License-Identifier: Apache-2.0
// A number for every node of the hidden luck, all of them computed at once.
#pragma once

#include <cstddef>

#include "policies/run_belief.h"

namespace espalier {

// Plain loops over the nodes are vectorised by some compilers at some places; these types, which
// GCC and Clang know, are everywhere.
struct LuckValues {
  using Four = float __attribute__((vector_size(16)));
  static constexpr std::size_t kFours = kLuckNodes / 4;
  Four four[kFours];

  float operator[](std::size_t i) const { return four[i / 4][i % 4]; }
};
static_assert(sizeof(LuckValues) == kLuckNodes * sizeof(float));

inline LuckValues for_all_luck(float value) {
  LuckValues to;
  for (auto& four : to.four) four = LuckValues::Four{value, value, value, value};
  return to;
}

inline LuckValues luck_values(const PerLuck<double>& from) {
  LuckValues to;
  for (std::size_t i = 0; i < kLuckNodes; ++i) to.four[i / 4][i % 4] = static_cast<float>(from[i]);
  return to;
}

inline LuckValues operator+(LuckValues x, const LuckValues& y) {
  for (std::size_t i = 0; i < LuckValues::kFours; ++i) x.four[i] += y.four[i];
  return x;
}
inline LuckValues operator*(LuckValues x, const LuckValues& y) {
  for (std::size_t i = 0; i < LuckValues::kFours; ++i) x.four[i] *= y.four[i];
  return x;
}
inline LuckValues operator*(float factor, LuckValues x) {
  for (auto& four : x.four) four *= factor;
  return x;
}
inline LuckValues operator+(float summand, LuckValues x) {
  for (auto& four : x.four) four += summand;
  return x;
}
inline LuckValues mixed(LuckValues x, const LuckValues& y, float share) {
  for (std::size_t i = 0; i < LuckValues::kFours; ++i) x.four[i] += share * (y.four[i] - x.four[i]);
  return x;
}
inline LuckValues lesser(LuckValues x, const LuckValues& y) {
  for (std::size_t i = 0; i < LuckValues::kFours; ++i)
    x.four[i] = x.four[i] < y.four[i] ? x.four[i] : y.four[i];
  return x;
}
inline float sum_of(const LuckValues& x) {
  LuckValues::Four sums = x.four[0];
  for (std::size_t i = 1; i < LuckValues::kFours; ++i) sums += x.four[i];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace espalier
