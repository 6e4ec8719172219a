// SPDX-License-Identifier: Apache-2.0
#include "io/map_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/near_miss.h"
#include "io/quantity.h"
#include "io/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kLongestKey = 64;

std::string_view name_of(const DocumentNode& node) {
  switch (node.kind) {
    case DocumentNode::Kind::Null:
      return "empty";
    case DocumentNode::Kind::Scalar:
      return "a single value";
    case DocumentNode::Kind::List:
      return "a list";
    case DocumentNode::Kind::Map:
      return "a map";
  }
  return "";
}

Dimension dimension_of(ValueKind kind) {
  if (kind == ValueKind::Time) return Dimension::Time;
  return kind == ValueKind::Energy ? Dimension::Energy : Dimension::Number;
}

bool has_required_keys(const MapSchema& schema) {
  return std::any_of(schema.keys.begin(), schema.keys.end(),
                     [](const KeySchema& key) { return key.required; });
}

std::vector<std::string> names_of(std::span<const std::string_view> choices) {
  return {choices.begin(), choices.end()};
}

std::string example_of(const KeySchema& key) {
  return fmt::format("write, for example, {}: {}", key.name, key.example);
}

// As it was written, with the unit that a bare number has.
std::string value_text(const DocumentNode& node, ValueKind kind) {
  const bool is_bare =
      !node.text.empty() &&
      (std::isdigit(static_cast<unsigned char>(node.text.back())) != 0 || node.text.back() == '.');
  return shown(node.text) + std::string(is_bare ? base_unit(dimension_of(kind)) : "");
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
}

void report_kind(const Field& field, std::string_view wanted, Report& report,
                 std::string hint = {}) {
  report.error(field, fmt::format("is {}; it must be {}", name_of(*field.node), wanted),
               std::move(hint));
}

bool check_count(const Field& field, std::size_t size, Count count, Report& report) {
  if (size < count.least) report.error(field, "is empty", "give at least one");
  if (size > count.most) {
    report.error(field, fmt::format("has {} entries; at most {} are allowed", size, count.most),
                 "leave out what will not be used");
  }
  return size >= count.least && size <= count.most;
}

}  // namespace

MapReader::MapReader(Field field, Shape shape, Report& report)
    : field_(std::move(field)), schema_(schema_of(shape)), report_(report) {
  const DocumentNode::Kind kind = field_.node->kind;
  const bool may_be_empty = !has_required_keys(schema_);
  is_map_ = kind == DocumentNode::Kind::Map || (kind == DocumentNode::Kind::Null && may_be_empty);
  if (!is_map_) {
    report_kind(field_, "a map", report, fmt::format("its keys are: {}", listed(schema_.names())));
    return;
  }
  check_keys();
}

void MapReader::check_keys() {
  check_repeated(field_, report_);
  for (const Entry& entry : field_.node->entries) {
    if (schema_.find(entry.key) == nullptr) report_unknown(entry);
  }
}

void MapReader::report_unknown(const Entry& entry) {
  const std::vector<std::string> known = schema_.names();
  const auto meant = nearest(entry.key, known);
  if (meant && !has(*meant)) meant_.push_back(*meant);
  report_.error(entry.mark, field_.path_of(entry.key),
                "is not a known key" + did_you_mean(entry.key, known),
                known.empty() ? "no keys are known here" : "known keys: " + listed(known));
}

void MapReader::report_missing(const KeySchema& key) const {
  if (is_misspelt(key.name)) return;
  report_.error(field_.node->mark, field_.path_of(key.name), "is missing", example_of(key));
}

bool MapReader::is_misspelt(std::string_view key) const {
  return std::find(meant_.begin(), meant_.end(), key) != meant_.end();
}

std::optional<Field> MapReader::value(std::string_view key) const {
  if (!is_map_) return std::nullopt;
  if (const DocumentNode* node = field_.node->find(key)) return Field{node, field_.path_of(key)};
  const KeySchema& known = *schema_.find(key);
  if (known.required) report_missing(known);
  return std::nullopt;
}

double MapReader::number(std::string_view key) const {
  const KeySchema& known = *schema_.find(key);
  const double otherwise = known.otherwise.value_or(0);
  const auto field = value(key);
  return field ? read_number(*field, known, report_).value_or(otherwise) : otherwise;
}

std::size_t MapReader::choice(std::string_view key) const {
  const auto field = value(key);
  const auto text = field ? read_text(*field, "one of several words", report_) : std::nullopt;
  if (!text) return 0;
  const std::vector<std::string> known = names_of(schema_.find(key)->choices);
  const auto found = std::find(known.begin(), known.end(), *text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  report_.error(
      *field,
      fmt::format("is '{}', which is not known{}", shown(*text), did_you_mean(*text, known)),
      "write one of: " + listed(known));
  return 0;
}

void MapReader::require(std::string_view key) const {
  if (is_map_ && !has(key)) report_missing(*schema_.find(key));
}

std::optional<double> read_number(const Field& field, const KeySchema& key, Report& report) {
  const DocumentNode& node = *field.node;
  if (node.kind != DocumentNode::Kind::Scalar) {
    report_kind(field, "a number", report, example_of(key));
    return std::nullopt;
  }
  const auto reading = read_quantity(node.text, dimension_of(key.kind),
                                     node.quoted ? Quoting::Quoted : Quoting::Plain);
  if (const auto* fault = std::get_if<QuantityFault>(&reading)) {
    report.error(field, fault->what, fault->hint);
    return std::nullopt;
  }
  const double value = std::get<double>(reading);
  const bool is_fraction = key.kind == ValueKind::Whole && value != std::floor(value);
  if (is_fraction) {
    report.error(field, fmt::format("is {}; it must be a whole number", shown(node.text)),
                 example_of(key));
    return std::nullopt;
  }
  if (key.range.contains(value)) return value;
  report.error(field,
               fmt::format("is {}; it must be {}", value_text(node, key.kind), key.range.text()),
               example_of(key));
  return std::nullopt;
}

void check_repeated(const Field& map, Report& report) {
  std::unordered_map<std::string_view, int> first_line;
  for (const Entry& entry : map.node->entries) {
    const auto [first, is_new] = first_line.emplace(entry.key, entry.mark.line);
    if (is_new) continue;
    report.error(entry.mark, map.path_of(entry.key),
                 fmt::format("is written twice; the first is in line {}", first->second),
                 "keep one of them");
  }
}

std::optional<std::string> read_text(const Field& field, std::string_view noun, Report& report) {
  if (field.node->kind == DocumentNode::Kind::Scalar) return field.node->text;
  report_kind(field, noun, report, "write a single word");
  return std::nullopt;
}

std::string read_file_name(const Field& field, std::string_view example, Report& report) {
  const std::string path = read_text(field, "the name of a file", report).value_or("?");
  const bool is_printable =
      std::none_of(path.begin(), path.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (path.empty() || !is_printable) {
    report.error(field, fmt::format("is '{}'; it must be the name of a file", shown(path)),
                 fmt::format("write, for example, {}", example));
  }
  return path;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestKey &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

void for_each_item(const Field& list, Count count, Report& report,
                   const std::function<void(const Field&)>& read) {
  const DocumentNode& node = *list.node;
  if (node.kind != DocumentNode::Kind::List) {
    return report_kind(list, "a list", report, "write [a, b], or a line '- …' for each item");
  }
  if (!check_count(list, node.items.size(), count, report)) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) read(list.item(i));
}

void for_each_name(const Field& map, Count count, Report& report,
                   const std::function<void(const Entry&, const Field&)>& read) {
  const DocumentNode& node = *map.node;
  if (node.kind != DocumentNode::Kind::Map) {
    return report_kind(map, "a map of names", report,
                       "write, for example, {first: {}, second: {}}");
  }
  if (!check_count(map, node.entries.size(), count, report)) return;
  check_repeated(map, report);
  std::set<std::string_view> seen;
  for (const Entry& entry : node.entries) {
    if (!is_name(entry.key)) {
      report.error(entry.mark, map.path_of(entry.key), "is not a name", kNameHint);
    }
    if (seen.insert(entry.key).second) read(entry, map.value(entry));
  }
}

}  // namespace espalier
