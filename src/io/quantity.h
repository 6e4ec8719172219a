// SPDX-License-Identifier: Apache-2.0
// Numbers and units as people write them: 90, "2 h", "500 kJ".
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace espalier {

enum class Dimension { Number, Time, Energy };

// Whether a value stood in quotes. A quoted number without a unit is a string, and refused.
enum class Quoting { Plain, Quoted };

// What is wrong with a quantity, to follow the name of its key.
struct QuantityFault {
  std::string what;  // "is 3 parsecs; 'parsecs' is not a unit of time"
  std::string hint;
};

// The value in seconds or joules; a bare number is in these already. Always finite.
std::variant<double, QuantityFault> read_quantity(std::string_view text, Dimension dimension,
                                                  Quoting quoting = Quoting::Plain);

// The unit of a bare number, with a space before it: " s", " J", "".
std::string_view base_unit(Dimension dimension);

}  // namespace espalier
