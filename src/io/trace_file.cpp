// SPDX-License-Identifier: Apache-2.0
#include "io/trace_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/map_reader.h"
#include "io/text_file.h"
#include "io/wording.h"
#include "io/workload_words.h"

namespace espalier {
namespace {

constexpr std::size_t kColumns = 13;
constexpr std::size_t kLongestRun = 2048;
constexpr std::array<std::string_view, 4> kEvents{"start", "epoch", "prune", "hand-over"};

using Fields = std::array<std::string_view, kColumns>;

std::string_view column_name(std::size_t column) {
  std::string_view rest = kTraceHeader;
  for (; column > 0; --column) rest.remove_prefix(rest.find(',') + 1);
  return rest.substr(0, rest.find(','));
}

// The next line of `rest`, which loses it.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Reads the fields of one line, in the order of the columns.
class LineReader {
 public:
  LineReader(std::string_view line, const std::string& where) : where_(where) {
    const auto commas = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
    if (commas + 1 != kColumns) {
      fail(fmt::format("has {} columns instead of {}", commas + 1, kColumns),
           "is the line cut off? the columns are " + std::string(kTraceHeader));
    }
    for (std::string_view& field : fields_) {
      field = line.substr(0, line.find(','));
      line.remove_prefix(std::min(line.size(), field.size() + 1));
    }
  }

  std::string run() {
    const std::string_view text = next();
    const auto fits = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ||
             c == '/';
    };
    if (text.empty() || text.size() > kLongestRun || !std::all_of(text.begin(), text.end(), fits))
      wrong(text, "letters, digits, dots, dashes, underscores and slashes");
    return std::string(text);
  }

  std::string name() {
    const std::string_view text = next();
    if (!is_name(text)) wrong(text, "a name of 1 to 64 letters, digits, dots, dashes, underscores");
    return std::string(text);
  }

  template <class Integer>
  Integer whole(Integer most) {
    const std::string_view text = next();
    Integer value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_read = error == std::errc{} && end == text.data() + text.size();
    if (!is_read || value < 0 || value > most)
      wrong(text, fmt::format("a whole number from 0 to {}", most));
    return value;
  }

  double number(double below, const char* wanted) {
    const std::string_view text = next();
    double value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_read = error == std::errc{} && end == text.data() + text.size();
    // A negative zero would not survive as text that people compare.
    if (!is_read || !std::isfinite(value) || std::signbit(value) || value >= below)
      wrong(text, wanted);
    return value;
  }

  TraceEvent event() {
    const std::string_view text = next();
    const auto found = std::find(kEvents.begin(), kEvents.end(), text);
    if (found == kEvents.end()) wrong(text, "start, epoch, prune or hand-over");
    return static_cast<TraceEvent>(found - kEvents.begin());
  }

 private:
  std::string_view next() { return fields_[column_++]; }

  [[noreturn]] void wrong(std::string_view text, const std::string& wanted) const {
    fail(fmt::format("{} is '{}'; it must be {}", column_name(column_ - 1), shown(text), wanted),
         "mend the line, or remove it");
  }
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::BadInput, where_ + ": " + what, hint);
  }

  const std::string& where_;
  Fields fields_;
  std::size_t column_ = 0;
};

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Tells steps that are there twice.
class StepSet {
 public:
  void add(const TraceRow& row, int line, const std::string& where) {
    const auto [first, is_new] = lines_.emplace(std::tuple(row.run, row.epoch, row.event), line);
    if (is_new) return;
    throw Error(ErrorCode::BadInput,
                fmt::format("{}: repeats the step of line {}", where, first->second),
                "keep one of them; were two files put together?");
  }

 private:
  std::map<std::tuple<std::string, int, TraceEvent>, int> lines_;
};

void check_header(std::string_view line, const std::string& file) {
  if (line == kTraceHeader) return;
  throw Error(ErrorCode::BadInput, file + ":1: is not the first line of a trace file",
              "it must be " + std::string(kTraceHeader));
}

}  // namespace

std::string trace_line(const TraceRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", row.run, row.seed, row.epoch,
                     row.model, row.nodes, row.prune, row.samples, row.classes, row.loss.value,
                     row.val_loss.value, row.time.value, row.energy.value,
                     kEvents[static_cast<std::size_t>(row.event)]);
}

TraceRow parse_trace_line(std::string_view line, const std::string& where) {
  LineReader reader(line, where);
  TraceRow row;
  row.run = reader.run();
  row.seed = reader.whole(static_cast<std::uint64_t>(kLargestSeed));
  row.epoch = reader.whole(1'000'000'000);
  row.model = reader.name();
  row.nodes = reader.name();
  row.prune = reader.number(1, "a number ≥ 0 and < 1");
  row.samples = reader.whole(std::int64_t{1'000'000'000'000});
  row.classes = reader.whole(1'000'000'000);
  row.loss = {reader.number(kNoLimit, "a finite number ≥ 0")};
  row.val_loss = {reader.number(kNoLimit, "a finite number ≥ 0")};
  row.time = {reader.number(kNoLimit, "seconds, ≥ 0")};
  row.energy = {reader.number(kNoLimit, "joules, ≥ 0")};
  row.event = reader.event();
  return row;
}

std::string trace_text(const std::vector<TraceRow>& rows) {
  std::string text(kTraceHeader);
  text += '\n';
  for (const TraceRow& row : rows) text += trace_line(row) + '\n';
  return text;
}

std::vector<TraceRow> parse_traces(std::string_view text, const std::string& file) {
  check_header(take_line(text), file);
  std::vector<TraceRow> rows;
  StepSet steps;
  for (int line = 2; !text.empty(); ++line) {
    const std::string where = fmt::format("{}:{}", file, line);
    rows.push_back(parse_trace_line(take_line(text), where));
    steps.add(rows.back(), line, where);
  }
  return rows;
}

std::vector<TraceRow> load_traces(const std::filesystem::path& path) {
  const auto text = read_text_file(path, kLargestTraceFile);
  if (const auto* fault = std::get_if<FileFault>(&text))
    throw Error(ErrorCode::BadInput, path.string() + ": " + fault->what, fault->hint);
  return parse_traces(std::get<std::string>(text), path.string());
}

}  // namespace espalier
