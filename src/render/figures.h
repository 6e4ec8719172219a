// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: few digits, with units.
#pragma once

#include <string>

#include "core/units.h"

namespace espalier {

// "0.8 s", "45.2 s", "16 min 40 s", "2 h 5 min", "3 d 4 h".
std::string duration(Seconds time);

// Four significant digits.
std::string loss_figure(Loss loss);

// A unit and a number of decimals that suit a whole column of energies.
class EnergyScale {
 public:
  // Suits values up to `largest`; with `smallest`, decimals enough to tell it from 0.
  explicit EnergyScale(Joules largest) : EnergyScale(largest, largest) {}
  EnergyScale(Joules largest, Joules smallest);
  // "35.42 J", "1.250 kJ".
  std::string operator()(Joules energy) const;

 private:
  double unit_ = 1;
  int decimals_ = 2;
  const char* symbol_ = "J";
};

// One energy alone.
std::string energy_figure(Joules energy);

// "3.2 %", "150 %", "<0.01 %".
std::string percent(double share);
// "+3.2 %", "−1 %", "0 %".
std::string signed_percent(double share);

// "1 epoch", "3 epochs".
std::string counted(long long count, const char* thing);

// A bar of `share` (0…1) of `width` columns, in eighths.
std::string bar(double share, int width);

// The shortest text that reads back as the same number; for commands to repeat.
std::string exact_figure(double value);

// `value` rounded up to `digits` significant digits: a bound that is safe to promise.
double rounded_up(double value, int digits);
// The same, down.
double rounded_down(double value, int digits);

}  // namespace espalier
