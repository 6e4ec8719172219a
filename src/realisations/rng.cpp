// SPDX-License-Identifier: Apache-2.0
#include "realisations/rng.h"

#include "realisations/normal_quantile.h"

namespace espalier {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

std::uint64_t CounterRng::bits(const DrawKey& key) const {
  return mix(mix(mix(mix(seed_) ^ key.run) ^ key.stream) ^ key.index);
}

double CounterRng::uniform(const DrawKey& key) const {
  return (static_cast<double>(bits(key) >> 11U) + 0.5) * 0x1p-53;
}

double CounterRng::normal(const DrawKey& key) const {
  return portable_normal_quantile(uniform(key));
}

void CounterRng::normals(const DrawKey& first, std::span<double> z) const {
  DrawKey key = first;
  for (double& value : z) {
    value = uniform(key);
    ++key.run;
  }
  portable_normal_quantiles(z);
}

}  // namespace espalier
