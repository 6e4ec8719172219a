// SPDX-License-Identifier: Apache-2.0
#include "render/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace espalier {
namespace {

struct TimeUnit {
  double seconds;
  const char* symbol;
};
constexpr TimeUnit kMinute{60, "min"};
constexpr TimeUnit kHour{3600, "h"};
constexpr TimeUnit kDay{86400, "d"};

// "16 min 40 s": whole units, the small one left out if it is 0.
std::string two_units(double seconds, TimeUnit large, TimeUnit small) {
  const double smalls = std::round(seconds / small.seconds);
  const double ratio = large.seconds / small.seconds;
  const double whole = std::floor(smalls / ratio);
  const double rest = smalls - whole * ratio;
  const std::string first = fmt::format("{:.0f} {}", whole, large.symbol);
  return rest == 0 ? first : first + fmt::format(" {:.0f} {}", rest, small.symbol);
}

struct EnergyUnit {
  double joules;
  const char* symbol;
  double least;  // from which on it is used
};
constexpr std::array kEnergyUnits{EnergyUnit{1e9, "GJ", 1e10}, EnergyUnit{1e6, "MJ", 1e7},
                                  EnergyUnit{1e3, "kJ", 1e4}, EnergyUnit{1, "J", 0.1},
                                  EnergyUnit{1e-3, "mJ", 0}};

int decimals_for(double largest) {
  if (!(largest > 0)) return 0;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(largest))), 0, 6);
}

// The last of so many digits.
double step_of(double value, int digits) {
  return std::pow(10, std::floor(std::log10(value)) - digits + 1);
}

double tidied(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

}  // namespace

std::string duration(Seconds time) {
  const double s = time.value;
  if (!std::isfinite(s)) return "never";
  if (s < 59.995) return fmt::format("{:.4g} s", s);
  if (s < 3599.5) return two_units(s, kMinute, {1, "s"});
  if (s < 48 * 3600 - 30) return two_units(s, kHour, kMinute);
  return two_units(s, kDay, kHour);
}

std::string loss_figure(Loss loss) { return fmt::format("{:.4g}", loss.value); }

EnergyScale::EnergyScale(Joules largest, Joules smallest) {
  if (!std::isfinite(largest.value) || largest.value <= 0) return;
  const auto fits = [&](const EnergyUnit& unit) { return largest.value >= unit.least; };
  const auto& unit = *std::find_if(kEnergyUnits.begin(), kEnergyUnits.end() - 1, fits);
  unit_ = unit.joules;
  symbol_ = unit.symbol;
  const int few = decimals_for(largest.value / unit_);
  decimals_ = std::clamp(decimals_for(smallest.value / unit_) - 1, few, few + 2);
}

std::string EnergyScale::operator()(Joules energy) const {
  if (!std::isfinite(energy.value)) return "–";
  const double scaled = energy.value / unit_;
  const double least = std::pow(10, -decimals_);
  if (scaled > 0 && scaled < least / 2)
    return fmt::format("<{:.{}f} {}", least, decimals_, symbol_);
  return fmt::format("{:.{}f} {}", scaled, decimals_, symbol_);
}

std::string energy_figure(Joules energy) { return EnergyScale(energy)(energy); }

std::string percent(double share) {
  const double p = 100 * share;
  if (!std::isfinite(p)) return "–";
  if (p == 0) return "0 %";
  if (std::abs(p) < 0.01) return "<0.01 %";
  if (std::abs(p) < 0.995) return fmt::format("{:.2g} %", p);
  if (std::abs(p) < 99.95) return fmt::format("{:.3g} %", p);
  return fmt::format("{:.0f} %", p);
}

std::string signed_percent(double share) {
  if (std::abs(share) < 5e-7) return "0 %";
  return (share > 0 ? "+" : "−") + percent(std::abs(share));
}

std::string counted(long long count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string bar(double share, int width) {
  constexpr std::array<const char*, 8> kPart{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double wanted = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 8 * width : 0;
  int eighths = static_cast<int>(std::lround(wanted));
  if (share > 0 && eighths == 0) eighths = 1;
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  return text + kPart[static_cast<std::size_t>(eighths % 8)];
}

std::string exact_figure(double value) { return fmt::format("{}", value); }

double rounded_up(double value, int digits) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const double step = step_of(value, digits);
  const double up = std::ceil(value / step) * step;
  const double tidy = tidied(up, digits);
  return tidy >= value ? tidy : up;
}

double rounded_down(double value, int digits) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const double step = step_of(value, digits);
  const double down = std::floor(value / step) * step;
  const double tidy = tidied(down, digits);
  return tidy <= value ? tidy : down;
}

}  // namespace espalier
