// SPDX-License-Identifier: Apache-2.0
// What a collector and a trainer say to each other, one line each.
//
//   collector → trainer   1/gold/5x0.5/silver 0 5 keep
//   trainer → collector   ready 1                      once, when it can begin
//                         energy modelled a100: 400 W  the figures that follow come from there
//                         row 1/gold/5x0.5/silver,1,…  as in a trace file
//                         done                         the network is stored, if it was to be kept
//                         failed 4 TAB message TAB hint
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/error.h"
#include "core/trace.h"
#include "experiments/branch_record.h"

namespace espalier {

inline constexpr int kProtocolVersion = 1;

// Do the steps after `from` up to `to` of a run.
struct Order {
  std::string run;
  int from = 0;
  int to = 0;
  bool keeps_network = false;
  friend bool operator==(const Order&, const Order&) = default;
};

struct Ready {
  int version = kProtocolVersion;
};
struct Done {};
struct Failed {
  ErrorCode code = ErrorCode::RunFailed;
  std::string message;
  std::string hint;
};

using Answer = std::variant<Ready, EnergySource, TraceRow, Done, Failed>;

// Without the end of the line.
std::string to_line(const Order& order);
std::string to_line(const Answer& answer);

// Throw Error{RunFailed} for what is no such line.
Order parse_order(std::string_view line);
Answer parse_answer(std::string_view line);

}  // namespace espalier
