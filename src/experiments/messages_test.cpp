// SPDX-License-Identifier: Apache-2.0
#include "experiments/messages.h"

#include <gtest/gtest.h>

#include "io/trace_file.h"

namespace espalier {
namespace {

TEST(Messages, OrdersSurviveTheWay) {
  const Order order{"1/gold/5x0.5/silver", 5, 10, true};
  EXPECT_EQ(to_line(order), "1/gold/5x0.5/silver 5 10 keep");
  EXPECT_EQ(parse_order(to_line(order)), order);
}

TEST(Messages, AnswersSurviveTheWay) {
  EXPECT_EQ(std::get<Ready>(parse_answer("ready 1")).version, 1);
  EXPECT_TRUE(std::holds_alternative<Done>(parse_answer("done")));
  const EnergySource source{Provenance::Measured, "RAPL package-0, dram"};
  EXPECT_EQ(std::get<EnergySource>(parse_answer(to_line(source))), source);
  TraceRow row{.run = "1/gold", .seed = 1, .epoch = 3, .model = "L", .nodes = "gold"};
  row.loss = {1.0 / 3};
  EXPECT_EQ(std::get<TraceRow>(parse_answer(to_line(row))), row);
}

TEST(Messages, FailuresStayInOneLine) {
  const Failed failed{ErrorCode::BadInput, "two\nlines\tand a tab", "a hint"};
  const std::string line = to_line(failed);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto heard = std::get<Failed>(parse_answer(line));
  EXPECT_EQ(heard.code, ErrorCode::BadInput);
  EXPECT_EQ(heard.message, "two lines and a tab");
  EXPECT_EQ(heard.hint, "a hint");
}

TEST(Messages, RefuseWhatTheyAreNot) {
  for (const char* line : {"", "1/gold 0 5", "1/gold 5 5 keep", "1/gold -1 5 keep",
                           "1/gold 0 5 maybe", "1/gold 0 99999999999 keep"})
    EXPECT_THROW(parse_order(line), Error) << line;
  for (const char* line : {"", "done ", "ready", "ready x", "row", "row 1,2", "energy",
                           "energy hot", "failed", "failed 1", "failed x\ta\tb", "hello"})
    EXPECT_THROW(parse_answer(line), Error) << line;
}

}  // namespace
}  // namespace espalier
