// SPDX-License-Identifier: Apache-2.0
// A sensor that a machine does not have is an answer, not an error.
#pragma once

#include <memory>
#include <string>
#include <variant>

namespace espalier {

// Why a meter cannot be used here.
struct Unavailable {
  std::string why;   // "/sys/class/powercap does not exist"
  std::string hint;  // what to do about it; may be empty
};

template <class MeterType>
using Opened = std::variant<std::unique_ptr<MeterType>, Unavailable>;

// A sensor that exists but is not counted, and why: mostly because another one contains it.
struct IgnoredSensor {
  std::string name;
  std::string why;
};

}  // namespace espalier
