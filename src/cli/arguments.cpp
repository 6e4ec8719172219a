// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/quantity.h"
#include "io/wording.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

constexpr double kMostValues = 1000;

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& hint) {
  throw Error(ErrorCode::BadInput, option + " '" + shown(text) + "' cannot be read", hint);
}

// The two sides of the first '='.
struct Assignment {
  std::string key;
  std::string value;
};

std::optional<Assignment> split(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  return Assignment{text.substr(0, at), text.substr(at + 1)};
}

std::optional<double> number(const std::string& text) {
  const std::string digits = text.starts_with('+') ? text.substr(1) : text;
  const auto read = read_quantity(digits, Dimension::Number);
  const auto* value = std::get_if<double>(&read);
  return value ? std::optional(*value) : std::nullopt;
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) all.push_back(part);
  return all;
}

std::vector<double> values_between(double from, double to, double step) {
  std::vector<double> values;
  const auto count = static_cast<int>(std::floor((to - from) / step + 1e-9)) + 1;
  for (int i = 0; i < count; ++i) {
    // 0.15 + 3·0.05 is meant to be 0.3, and not its neighbour.
    std::ostringstream tidy;
    tidy.precision(12);
    tidy << from + i * step;
    values.push_back(std::stod(tidy.str()));
  }
  return values;
}

}  // namespace

Setting parse_setting(const std::string& text) {
  const auto sides = split(text);
  if (!sides) refuse("--set", text, "write KEY=VALUE, as in --set goal.loss=0.2");
  return {sides->key, sides->value};
}

Bias parse_bias(const std::string& text) {
  const std::string hint = "write MODEL=±SHARE with a share above -1, as in --bias L=+0.1";
  const auto sides = split(text);
  const auto share = sides ? number(sides->value) : std::nullopt;
  if (!share || !(*share > -1)) refuse("--bias", text, hint);
  return {sides->key, *share};
}

Sweep parse_sweep(const std::string& text) {
  const std::string hint = "write KEY=FROM:TO:STEP, as in --sweep goal.loss=0.15:0.45:0.05";
  const auto sides = split(text);
  const auto bounds = sides ? parts(sides->value, ':') : std::vector<std::string>{};
  if (bounds.size() != 3) refuse("--sweep", text, hint);
  const auto from = number(bounds[0]);
  const auto to = number(bounds[1]);
  const auto step = number(bounds[2]);
  if (!from || !to || !step || !(*step > 0) || *to < *from) refuse("--sweep", text, hint);
  if ((*to - *from) / *step > kMostValues)
    refuse("--sweep", text, "that is more than a thousand values; take a larger step");
  return {sides->key, values_between(*from, *to, *step)};
}

Seconds parse_time(const std::string& option, const std::string& text) {
  const auto read = read_quantity(text, Dimension::Time);
  const auto* seconds = std::get_if<double>(&read);
  if (!seconds || !(*seconds > 0))
    refuse(option, text, "write seconds, or a time with its unit, as in '5 min'");
  return Seconds{*seconds};
}

Loss parse_margin(const std::string& text) {
  const auto margin = number(text);
  if (!margin || !(*margin >= 0))
    refuse("--margin", text, "write auto, or how much lower than the goal to aim, as in 0.02");
  return Loss{*margin};
}

std::vector<const Strategy*> parse_strategies(const std::string& text) {
  std::vector<const Strategy*> all;
  for (const std::string& name : parts(text, ',')) {
    const Strategy* strategy = &strategy_named(name);
    if (std::find(all.begin(), all.end(), strategy) == all.end()) all.push_back(strategy);
  }
  if (all.empty())
    refuse("--strategies", text, "write names with commas between, as in exact,pact");
  return all;
}

}  // namespace espalier
