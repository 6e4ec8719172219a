// SPDX-License-Identifier: Apache-2.0
#include "io/trace_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "io/map_reader.h"
#include "io/text_file.h"
#include "io/trace_columns.h"
#include "io/wording.h"
#include "io/workload_words.h"

namespace espalier {
namespace {

constexpr std::size_t kLongestRun = 2048;
constexpr std::array<std::string_view, 4> kEvents{"start", "epoch", "prune", "hand-over"};
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// What to make of a figure that is missing, not a number or infinite.
enum class Gaps { Refused, Unknown };

// The next line of `rest`, which loses it.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_run(std::string_view text) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ||
           c == '/';
  };
  return !text.empty() && text.size() <= kLongestRun && std::all_of(text.begin(), text.end(), fits);
}

template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_read = error == std::errc{} && end == text.data() + text.size();
  return is_read ? std::optional(value) : std::nullopt;
}

// Reads the fields of one line. A column that the file does not have gives what is said at
// `absent`.
class LineReader {
 public:
  LineReader(std::string_view line, const TraceColumns& columns, const std::string& where)
      : columns_(columns), where_(where) {
    const auto commas = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
    if (commas + 1 != columns.count) {
      fail(fmt::format("has {} columns instead of {}", commas + 1, columns.count),
           "is the line cut off? the columns are " + columns.header);
    }
    for (std::size_t i = 0; i < columns.count; ++i) {
      fields_[i] = line.substr(0, line.find(','));
      line.remove_prefix(std::min(line.size(), fields_[i].size() + 1));
    }
  }

  std::string run() const {
    const std::string_view text = *field(TraceColumn::Run);
    if (!is_run(text))
      wrong(TraceColumn::Run, "letters, digits, dots, dashes, underscores and slashes");
    return std::string(text);
  }

  std::string name(TraceColumn column) const {
    const auto text = field(column);
    if (!text) return {};
    if (!is_name(*text))
      wrong(column, "a name of 1 to 64 letters, digits, dots, dashes, underscores");
    return std::string(*text);
  }

  template <class Integer>
  Integer whole(TraceColumn column, Integer most) const {
    const auto text = field(column);
    if (!text) return 0;
    const auto value = read_number<Integer>(*text);
    if (!value || *value < 0 || *value > most)
      wrong(column, fmt::format("a whole number from 0 to {}", most));
    return *value;
  }

  double share(TraceColumn column) const {
    const auto text = field(column);
    if (!text) return 0;
    const auto value = read_number<double>(*text);
    if (!value || !is_figure(*value) || *value >= 1) wrong(column, "a number ≥ 0 and < 1");
    return *value;
  }

  double figure(TraceColumn column, Gaps gaps, const char* wanted) const {
    const auto text = field(column);
    if (!text || (text->empty() && gaps == Gaps::Unknown)) return kUnknown;
    const auto value = read_number<double>(*text);
    if (value && !std::isfinite(*value) && gaps == Gaps::Unknown) return kUnknown;
    if (!value || !is_figure(*value)) wrong(column, wanted);
    return *value;
  }

  // Without such a column, epochs are what is observed.
  TraceEvent event(int epoch) const {
    const auto text = field(TraceColumn::Event);
    if (!text) return epoch == 0 ? TraceEvent::Start : TraceEvent::Epoch;
    const auto found = std::find(kEvents.begin(), kEvents.end(), *text);
    if (found == kEvents.end()) wrong(TraceColumn::Event, "start, epoch, prune or hand-over");
    return static_cast<TraceEvent>(found - kEvents.begin());
  }

 private:
  // A negative zero would not survive as text that people compare.
  static bool is_figure(double value) {
    return std::isfinite(value) && !std::signbit(value) && value < kNoLimit;
  }

  std::optional<std::string_view> field(TraceColumn column) const {
    const auto place = columns_.place(column);
    return place ? std::optional(fields_[*place]) : std::nullopt;
  }

  [[noreturn]] void wrong(TraceColumn column, const std::string& wanted) const {
    fail(fmt::format("{} is '{}'; it must be {}", name_of(column), shown(*field(column)), wanted),
         "mend the line, or remove it");
  }
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::BadInput, where_ + ": " + what, hint);
  }

  const TraceColumns& columns_;
  const std::string& where_;
  std::array<std::string_view, kTraceColumns> fields_;
};

TraceRow read_row(const LineReader& reader, Gaps gaps) {
  using enum TraceColumn;
  TraceRow row;
  row.run = reader.run();
  row.seed = reader.whole(Seed, static_cast<std::uint64_t>(kLargestSeed));
  row.epoch = reader.whole(Epoch, 1'000'000'000);
  row.model = reader.name(Model);
  row.nodes = reader.name(Nodes);
  row.prune = reader.share(Prune);
  row.samples = reader.whole(Samples, std::int64_t{1'000'000'000'000});
  row.classes = reader.whole(Classes, 1'000'000'000);
  row.loss = {reader.figure(TrainingLoss, gaps, "a finite number ≥ 0")};
  row.val_loss = {reader.figure(ValidationLoss, gaps, "a finite number ≥ 0")};
  row.time = {reader.figure(Time, gaps, "seconds, ≥ 0")};
  row.energy = {reader.figure(Energy, gaps, "joules, ≥ 0")};
  row.event = reader.event(row.epoch);
  return row;
}

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

std::vector<TraceRow> read_rows(std::string_view text, const TraceColumns& columns, Gaps gaps,
                                const std::string& file) {
  std::vector<TraceRow> rows;
  StepSet steps;
  for (int line = 2; !text.empty(); ++line) {
    const std::string where = fmt::format("{}:{}", file, line);
    const std::string_view fields = take_line(text);
    if (fields.empty() && gaps == Gaps::Unknown) continue;
    rows.push_back(read_row(LineReader(fields, columns, where), gaps));
    steps.add(rows.back(), line, where);
  }
  return rows;
}

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
  static const TraceColumns columns = own_columns();
  return read_row(LineReader(line, columns, where), Gaps::Refused);
}

std::string trace_text(const std::vector<TraceRow>& rows) {
  std::string text(kTraceHeader);
  text += '\n';
  for (const TraceRow& row : rows) text += trace_line(row) + '\n';
  return text;
}

std::vector<TraceRow> parse_traces(std::string_view text, const std::string& file) {
  check_header(take_line(text), file);
  return read_rows(text, own_columns(), Gaps::Refused, file);
}

std::vector<TraceRow> parse_foreign_traces(std::string_view text, const std::string& file) {
  const TraceColumns columns = parse_columns(take_line(text), file + ":1");
  return read_rows(text, columns, Gaps::Unknown, file);
}

std::vector<TraceRow> load_traces(const std::filesystem::path& path) {
  const auto text = read_text_file(path, kLargestTraceFile);
  if (const auto* fault = std::get_if<FileFault>(&text))
    throw Error(ErrorCode::BadInput, path.string() + ": " + fault->what, fault->hint);
  return parse_foreign_traces(std::get<std::string>(text), path.string());
}

}  // namespace espalier
