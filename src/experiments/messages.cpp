// SPDX-License-Identifier: Apache-2.0
#include "experiments/messages.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "io/trace_file.h"
#include "io/wording.h"

namespace espalier {
namespace {

[[noreturn]] void refuse(std::string_view line) {
  throw Error(ErrorCode::RunFailed, "not understood: '" + shown(line) + "'",
              "do espalier and espalier-trainer come from the same build?");
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = line.find(separator);
    parts.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// Fit to stand in one line, between tabs.
std::string flat(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

ErrorCode code_of(int value) {
  for (const ErrorCode code : {ErrorCode::NotAllowed, ErrorCode::BadInput, ErrorCode::Bug}) {
    if (static_cast<int>(code) == value) return code;
  }
  return ErrorCode::RunFailed;
}

struct Wording {
  std::string operator()(const Ready& ready) const {
    return fmt::format("ready {}", ready.version);
  }
  std::string operator()(const EnergySource& source) const {
    return "energy " + flat(source_text(source));
  }
  std::string operator()(const TraceRow& row) const { return "row " + trace_line(row); }
  std::string operator()(const Done&) const { return "done"; }
  std::string operator()(const Failed& failed) const {
    return fmt::format("failed {}\t{}\t{}", static_cast<int>(failed.code), flat(failed.message),
                       flat(failed.hint));
  }
};

Answer parse_failure(std::string_view rest, std::string_view line) {
  const auto parts = split(rest, '\t');
  const auto code = number(parts[0]);
  if (parts.size() != 3 || !code) refuse(line);
  return Failed{code_of(*code), std::string(parts[1]), std::string(parts[2])};
}

}  // namespace

std::string to_line(const Order& order) {
  return fmt::format("{} {} {} {}", order.run, order.from, order.to,
                     order.keeps_network ? "keep" : "drop");
}

std::string to_line(const Answer& answer) { return std::visit(Wording{}, answer); }

Order parse_order(std::string_view line) {
  const auto parts = split(line, ' ');
  if (parts.size() != 4) refuse(line);
  const auto from = number(parts[1]);
  const auto to = number(parts[2]);
  const bool keeps = parts[3] == "keep";
  if (!from || !to || *from < 0 || *to <= *from || (!keeps && parts[3] != "drop")) refuse(line);
  return {std::string(parts[0]), *from, *to, keeps};
}

Answer parse_answer(std::string_view line) try {
  const std::string_view word = line.substr(0, line.find(' '));
  const std::string_view rest = line.substr(std::min(line.size(), word.size() + 1));
  if (word == "row") return parse_trace_line(rest, "a row of espalier-trainer");
  if (word == "energy") return parse_source(rest, "espalier-trainer");
  if (line == "done") return Done{};
  if (word == "failed") return parse_failure(rest, line);
  const auto version = word == "ready" ? number(rest) : std::nullopt;
  if (!version) refuse(line);
  return Ready{*version};
} catch (const Error& error) {
  throw Error(ErrorCode::RunFailed, error.what(), error.hint());
}

}  // namespace espalier
