// SPDX-License-Identifier: Apache-2.0
// Power and arithmetic work, and what they make with time.
#pragma once

#include "core/units.h"

namespace espalier {

using Watts = Quantity<struct WattsUnit>;
using Flops = Quantity<struct FlopsUnit>;        // floating-point operations, a count
using FlopRate = Quantity<struct FlopRateUnit>;  // FLOP/s
using ByteRate = Quantity<struct ByteRateUnit>;  // bytes/s

constexpr Joules operator*(Watts power, Seconds time) { return {power.value * time.value}; }
constexpr Seconds operator/(Flops work, FlopRate rate) { return {work.value / rate.value}; }
constexpr Seconds operator/(Joules energy, Watts power) { return {energy.value / power.value}; }

}  // namespace espalier
