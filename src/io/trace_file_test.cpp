// SPDX-License-Identifier: Apache-2.0
#include "io/trace_file.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

const std::string kHeader = std::string(kTraceHeader) + "\n";
const std::string kRow = "1/gold/5x0.5/silver,1,6,M,silver,0.5,5000,13,1.25,1.5,0.5,2,epoch";

std::string fault_of(const std::string& text) {
  try {
    parse_traces(text, "t.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_NE(error.hint(), "");
    return error.what();
  }
  return "accepted";
}

TEST(TraceFile, SurvivesTheRoundTripToTheLastDigit) {
  TraceRow row{
      .run = "1/gold", .seed = 9007199254740991, .epoch = 3, .model = "L", .nodes = "gold"};
  row.prune = 0.1 + 0.2;
  row.loss = {1.0 / 3};
  row.val_loss = {5e-324};
  row.time = {1e300};
  TraceRow next = row;
  next.event = TraceEvent::HandOver;
  const std::vector<TraceRow> rows{row, next};
  EXPECT_EQ(parse_traces(trace_text(rows), "t.csv"), rows);
}

TEST(TraceFile, IsWrittenAsTheContractSays) {
  const TraceRow row = parse_trace_line(kRow, "t.csv:2");
  EXPECT_EQ(row.classes, 13);
  EXPECT_EQ(row.event, TraceEvent::Epoch);
  EXPECT_EQ(trace_text({row}), kHeader + kRow + "\n");
}

TEST(TraceFile, AcceptsOtherLineEnds) {
  EXPECT_EQ(parse_traces(std::string(kTraceHeader) + "\r\n" + kRow + "\r\n", "t.csv").size(), 1U);
  EXPECT_EQ(parse_traces(kHeader + kRow, "t.csv").size(), 1U);
  EXPECT_EQ(parse_traces(kHeader, "t.csv").size(), 0U);
}

TEST(TraceFile, RefusesAnotherHeader) {
  EXPECT_EQ(fault_of(""), "t.csv:1: is not the first line of a trace file");
  EXPECT_EQ(fault_of(kRow), "t.csv:1: is not the first line of a trace file");
}

TEST(TraceFile, RefusesTheSameStepTwice) {
  EXPECT_EQ(fault_of(kHeader + kRow + "\n" + kRow + "\n"), "t.csv:3: repeats the step of line 2");
}

// A file that lost its end is noticed, unless it was cut exactly between two lines.
TEST(TraceFile, RefusesALineThatIsCutAnywhere) {
  for (std::size_t length = 1; length < kRow.size(); ++length) {
    EXPECT_NE(fault_of(kHeader + kRow.substr(0, length)), "accepted") << kRow.substr(0, length);
  }
}

struct BadValue {
  const char* old_text;
  const char* new_text;
  const char* message;
};

class TraceMistakes : public testing::TestWithParam<BadValue> {};

TEST_P(TraceMistakes, NameLineColumnAndWhatIsMeant) {
  std::string row = kRow;
  const std::string old_text = GetParam().old_text;
  row.replace(row.find(old_text), old_text.size(), GetParam().new_text);
  EXPECT_EQ(fault_of(kHeader + row + "\n"), std::string("t.csv:2: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Values, TraceMistakes,
    testing::Values(
        BadValue{"1/gold/", "a b/",
                 "run is 'a b/5x0.5/silver'; it must be letters, digits, dots, "
                 "dashes, underscores and slashes"},
        BadValue{",1,6,", ",1,-6,",
                 "epoch is '-6'; it must be a whole number from 0 to 1000000000"},
        BadValue{",1,6,", ",1,6.5,",
                 "epoch is '6.5'; it must be a whole number from 0 to 1000000000"},
        BadValue{",M,", ",,",
                 "model is ''; it must be a name of 1 to 64 letters, digits, dots, dashes, "
                 "underscores"},
        BadValue{",0.5,5000", ",1,5000", "prune is '1'; it must be a number ≥ 0 and < 1"},
        BadValue{"1.25", "nan", "loss is 'nan'; it must be a finite number ≥ 0"},
        BadValue{"1.25", "1e999", "loss is '1e999'; it must be a finite number ≥ 0"},
        BadValue{"1.5,0.5", "-0,0.5", "val_loss is '-0'; it must be a finite number ≥ 0"},
        BadValue{",2,epoch", ", 2,epoch", "energy is ' 2'; it must be joules, ≥ 0"},
        BadValue{",epoch", ",epic", "event is 'epic'; it must be start, epoch, prune or hand-over"},
        BadValue{",epoch", ",epoch,1", "has 14 columns instead of 13"}));

std::string foreign_fault_of(const std::string& text) {
  try {
    parse_foreign_traces(text, "t.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    EXPECT_NE(error.hint(), "");
    return error.what();
  }
  return "accepted";
}

TEST(ForeignTraces, NeedOnlyRunEpochAndLossInAnyOrder) {
  const auto rows =
      parse_foreign_traces("\xef\xbb\xbfloss, run,epoch\r\n0.5,a,0\r\n0.25,a,1\n\n", "t.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].event, TraceEvent::Start);
  EXPECT_EQ(rows[1].event, TraceEvent::Epoch);
  EXPECT_EQ(rows[1].run, "a");
  EXPECT_EQ(rows[1].loss, Loss{0.25});
  EXPECT_EQ(rows[1].prune, 0);
  EXPECT_EQ(rows[1].model, "");
  EXPECT_TRUE(std::isnan(rows[1].val_loss.value)) << "unknown, rather than 0";
}

TEST(ForeignTraces, AreOursToo) {
  EXPECT_EQ(parse_foreign_traces(kHeader + kRow, "t.csv"), parse_traces(kHeader + kRow, "t.csv"));
}

TEST(ForeignTraces, MayHaveLossesThatAreNoNumbers) {
  const auto rows =
      parse_foreign_traces("run,epoch,loss\na,1,nan\na,2,inf\na,3,\na,4,NaN\na,5,-inf\n", "t.csv");
  ASSERT_EQ(rows.size(), 5U);
  for (const TraceRow& row : rows) EXPECT_TRUE(std::isnan(row.loss.value)) << row.epoch;
}

TEST(ForeignTraces, AreRefusedWithAReason) {
  EXPECT_EQ(foreign_fault_of("run,epoch,los\n"),
            "t.csv:1: unknown column 'los'; did you mean 'loss'?");
  EXPECT_EQ(foreign_fault_of("run,loss\na,1\n"), "t.csv:1: the column epoch is missing");
  EXPECT_EQ(foreign_fault_of("run,epoch,loss,run\n"), "t.csv:1: has the column run twice");
  EXPECT_EQ(foreign_fault_of(kRow), "t.csv:1: is not the first line of a trace file");
  EXPECT_EQ(foreign_fault_of(std::string(5000, ',')),
            "t.csv:1: is not the first line of a trace file");
  EXPECT_EQ(foreign_fault_of("run,epoch,loss\na,1\n"), "t.csv:2: has 2 columns instead of 3");
  EXPECT_EQ(foreign_fault_of("run,epoch,loss\na,1,-2\n"),
            "t.csv:2: loss is '-2'; it must be a finite number ≥ 0");
  EXPECT_EQ(foreign_fault_of("run,epoch,loss\na,1,2\na,1,3\n"),
            "t.csv:3: repeats the step of line 2");
}

TEST(TraceFile, SaysWhichFileIsMissing) {
  try {
    load_traces("no/such.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no/such.csv: no such file");
  }
}

}  // namespace
}  // namespace espalier
