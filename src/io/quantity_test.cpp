// SPDX-License-Identifier: Apache-2.0
#include "io/quantity.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Quantity, ReadsBareNumbersInBaseUnits) {
  EXPECT_EQ(std::get<double>(read_quantity("90", Dimension::Time)), 90);
  EXPECT_EQ(std::get<double>(read_quantity("1e-3", Dimension::Energy)), 1e-3);
  EXPECT_EQ(std::get<double>(read_quantity("+.5", Dimension::Number)), 0.5);
  EXPECT_EQ(std::get<double>(read_quantity("-2.", Dimension::Number)), -2);
  EXPECT_EQ(std::get<double>(read_quantity("1e-400", Dimension::Number)), 0);
}

struct UnitCase {
  const char* text;
  Dimension dimension;
  double value;
};

class QuantityUnits : public testing::TestWithParam<UnitCase> {};

TEST_P(QuantityUnits, Convert) {
  const auto reading = read_quantity(GetParam().text, GetParam().dimension, Quoting::Quoted);
  ASSERT_TRUE(std::holds_alternative<double>(reading)) << std::get<QuantityFault>(reading).what;
  EXPECT_DOUBLE_EQ(std::get<double>(reading), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    All, QuantityUnits,
    testing::Values(UnitCase{"250 ms", Dimension::Time, 0.25}, UnitCase{"7 s", Dimension::Time, 7},
                    UnitCase{"1.5 min", Dimension::Time, 90}, UnitCase{"2h", Dimension::Time, 7200},
                    UnitCase{" 1 d ", Dimension::Time, 86400},
                    UnitCase{"3 mJ", Dimension::Energy, 3e-3},
                    UnitCase{"3 J", Dimension::Energy, 3}, UnitCase{"3 kJ", Dimension::Energy, 3e3},
                    UnitCase{"1e3 MJ", Dimension::Energy, 1e9},
                    UnitCase{"2 Wh", Dimension::Energy, 7200},
                    UnitCase{"2 kWh", Dimension::Energy, 7.2e6}));

struct QuantityFaultCase {
  const char* text;
  Dimension dimension;
  Quoting quoting;
  const char* what;
};

class QuantityFaults : public testing::TestWithParam<QuantityFaultCase> {};

TEST_P(QuantityFaults, SayWhatIsWrong) {
  const QuantityFaultCase& c = GetParam();
  const auto reading = read_quantity(c.text, c.dimension, c.quoting);
  ASSERT_TRUE(std::holds_alternative<QuantityFault>(reading));
  EXPECT_EQ(std::get<QuantityFault>(reading).what, c.what);
  EXPECT_NE(std::get<QuantityFault>(reading).hint, "");
}

constexpr auto kPlain = Quoting::Plain;
constexpr auto kQuoted = Quoting::Quoted;

INSTANTIATE_TEST_SUITE_P(
    All, QuantityFaults,
    testing::Values(
        QuantityFaultCase{"3 parsecs", Dimension::Time, kPlain,
                          "is 3 parsecs; 'parsecs' is not a unit of time"},
        QuantityFaultCase{"3 kj", Dimension::Energy, kPlain,
                          "is 3 kj; 'kj' is not a unit of energy; did you mean 'kJ'?"},
        QuantityFaultCase{"500", Dimension::Time, kQuoted,
                          "is the string \"500\", which has no unit"},
        QuantityFaultCase{"0.5", Dimension::Number, kQuoted,
                          "is the string \"0.5\"; it must be a number"},
        QuantityFaultCase{"2 h", Dimension::Energy, kPlain, "is 2 h, a time; it must be an energy"},
        QuantityFaultCase{"2 kW", Dimension::Energy, kPlain,
                          "is 2 kW, a power; it must be an energy"},
        QuantityFaultCase{"2 J", Dimension::Time, kPlain, "is 2 J, an energy; it must be a time"},
        QuantityFaultCase{"2 s", Dimension::Number, kPlain,
                          "is 2 s; it must be a number without a unit"},
        QuantityFaultCase{"fast", Dimension::Time, kPlain, "is 'fast'; it must be a time"},
        QuantityFaultCase{"", Dimension::Energy, kPlain, "is ''; it must be an energy"},
        QuantityFaultCase{"1,5", Dimension::Number, kPlain,
                          "is 1,5; it must be a number without a unit"},
        QuantityFaultCase{".nan", Dimension::Number, kPlain, "is .nan; it must be a finite number"},
        QuantityFaultCase{"NaN", Dimension::Time, kPlain, "is NaN; it must be a finite number"},
        QuantityFaultCase{"-.inf", Dimension::Energy, kPlain,
                          "is -.inf; it must be a finite number"},
        QuantityFaultCase{"infinity", Dimension::Number, kPlain,
                          "is infinity; it must be a finite number"},
        QuantityFaultCase{"1e309", Dimension::Number, kPlain,
                          "is 1e309; that is too large for a number"},
        QuantityFaultCase{"1e305 d", Dimension::Time, kPlain,
                          "is 1e305 d; that is too large for a number"},
        QuantityFaultCase{"0x10", Dimension::Number, kPlain,
                          "is 0x10; it must be a number without a unit"},
        QuantityFaultCase{"1e", Dimension::Number, kPlain,
                          "is 1e; it must be a number without a unit"}));

}  // namespace
}  // namespace espalier
