// SPDX-License-Identifier: Apache-2.0
#include "io/quantity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/near_miss.h"
#include "io/wording.h"

namespace espalier {
namespace {

// Power is known only to tell those who write kW for kWh.
enum class Measure { Time, Energy, Power };

struct Unit {
  std::string_view name;
  Measure measure;
  double factor;
};

constexpr std::array kUnits{
    Unit{"ms", Measure::Time, 1e-3},     Unit{"s", Measure::Time, 1},
    Unit{"min", Measure::Time, 60},      Unit{"h", Measure::Time, 3600},
    Unit{"d", Measure::Time, 86400},     Unit{"mJ", Measure::Energy, 1e-3},
    Unit{"J", Measure::Energy, 1},       Unit{"kJ", Measure::Energy, 1e3},
    Unit{"MJ", Measure::Energy, 1e6},    Unit{"Wh", Measure::Energy, 3600},
    Unit{"kWh", Measure::Energy, 3.6e6}, Unit{"mW", Measure::Power, 1e-3},
    Unit{"W", Measure::Power, 1},        Unit{"kW", Measure::Power, 1e3},
};

std::string_view name_of(Measure measure) {
  switch (measure) {
    case Measure::Time:
      return "a time";
    case Measure::Energy:
      return "an energy";
    case Measure::Power:
      return "a power";
  }
  return "";
}

Measure measure_of(Dimension dimension) {
  return dimension == Dimension::Time ? Measure::Time : Measure::Energy;
}

std::string_view name_of(Dimension dimension) {
  return dimension == Dimension::Number ? "a number" : name_of(measure_of(dimension));
}

std::vector<std::string> units_of(Dimension dimension) {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) {
    if (unit.measure == measure_of(dimension)) names.emplace_back(unit.name);
  }
  return names;
}

std::string how_to_write(Dimension dimension) {
  if (dimension == Dimension::Number) return "write a number such as 0.5 or 2e-3";
  const std::string_view bare = dimension == Dimension::Time ? "seconds" : "joules";
  return fmt::format("write a number of {}, or a number and a unit: {}", bare,
                     listed(units_of(dimension)));
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) -
                                  text.begin());
}

bool is_sign(char c) { return c == '+' || c == '-'; }

// How much of `text` is a decimal number: [+-] digits [. digits] [e [+-] digits]; 0 if none is.
std::size_t number_length(std::string_view text) {
  std::size_t at = !text.empty() && is_sign(text[0]) ? 1 : 0;
  const std::size_t whole = count_digits(text.substr(at));
  at += whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = count_digits(text.substr(at + 1));
    at += fraction + 1;
  }
  if (whole + fraction == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && is_sign(text[at + 1]) ? 1 : 0;
    const std::size_t exponent = count_digits(text.substr(at + 1 + sign));
    if (exponent > 0) at += 1 + sign + exponent;
  }
  return at;
}

// REQUIRES: number_length(text) = text.size(). Infinite or 0 where a double ends.
double number_of(std::string_view text) {
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  const std::size_t exponent = text.find_first_of("eE");
  const bool is_tiny = exponent == std::string_view::npos ? text.find('.') < text.size() / 2
                                                          : text[exponent + 1] == '-';
  return is_tiny ? 0 : std::numeric_limits<double>::infinity();
}

// As YAML writes what is no number (.nan, -.inf), and as other programs do.
bool is_not_finite(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (!is_sign(c) && c != '.')
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word == "nan" || word == "inf" || word == "infinity";
}

QuantityFault no_number(std::string_view text, Dimension dimension) {
  if (is_not_finite(text)) {
    return {fmt::format("is {}; it must be a finite number", shown(text)), how_to_write(dimension)};
  }
  return {fmt::format("is '{}'; it must be {}", shown(text), name_of(dimension)),
          how_to_write(dimension)};
}

QuantityFault wrong_unit(std::string_view text, std::string_view unit, Dimension dimension) {
  const auto known =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == unit; });
  if (dimension == Dimension::Number) {
    return {fmt::format("is {}; it must be a number without a unit", shown(text)),
            how_to_write(dimension)};
  }
  if (known != kUnits.end()) {
    return {fmt::format("is {}, {}; it must be {}", shown(text), name_of(known->measure),
                        name_of(dimension)),
            how_to_write(dimension)};
  }
  return {fmt::format("is {}; '{}' is not a unit of {}{}", shown(text), shown(unit),
                      dimension == Dimension::Time ? "time" : "energy",
                      did_you_mean(unit, units_of(dimension))),
          how_to_write(dimension)};
}

QuantityFault no_unit(std::string_view text, Dimension dimension) {
  if (dimension == Dimension::Number) {
    return {fmt::format("is the string \"{}\"; it must be a number", shown(text)),
            fmt::format("remove the quotes: {}", shown(text))};
  }
  return {
      fmt::format("is the string \"{}\", which has no unit", shown(text)),
      fmt::format("write {0} without quotes, or \"{0}{1}\"", shown(text), base_unit(dimension))};
}

const Unit* find_unit(std::string_view name, Dimension dimension) {
  if (dimension == Dimension::Number) return nullptr;
  for (const Unit& unit : kUnits) {
    if (unit.name == name && unit.measure == measure_of(dimension)) return &unit;
  }
  return nullptr;
}

}  // namespace

std::string_view base_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::Number:
      return "";
    case Dimension::Time:
      return " s";
    case Dimension::Energy:
      return " J";
  }
  return "";
}

std::variant<double, QuantityFault> read_quantity(std::string_view text, Dimension dimension,
                                                  Quoting quoting) {
  text = trimmed(text);
  const std::size_t length = number_length(text);
  if (length == 0) return no_number(text, dimension);
  const std::string_view rest = trimmed(text.substr(length));
  if (rest.empty() && quoting == Quoting::Quoted) return no_unit(text, dimension);
  const Unit* unit = rest.empty() ? nullptr : find_unit(rest, dimension);
  if (!rest.empty() && unit == nullptr) return wrong_unit(text, rest, dimension);
  const double value = number_of(text.substr(0, length)) * (unit == nullptr ? 1 : unit->factor);
  if (!std::isfinite(value)) {
    return QuantityFault{fmt::format("is {}; that is too large for a number", shown(text)),
                         "write a number below 1e308"};
  }
  return value;
}

}  // namespace espalier
