// SPDX-License-Identifier: Apache-2.0
#include "io/names.h"

#include <fmt/format.h>

#include "core/near_miss.h"
#include "io/wording.h"

namespace espalier {

void NameTable::add(const std::string& name) {
  positions_.emplace(name, static_cast<std::int32_t>(names_.size()));
  names_.push_back(name);
}

std::optional<std::int32_t> NameTable::position_of(const std::string& name) const {
  const auto found = positions_.find(name);
  return found == positions_.end() ? std::nullopt : std::optional(found->second);
}

std::string NameTable::not_in(const std::string& name, const Report& report) const {
  const auto meant = report.is_full() ? std::nullopt : nearest(name, names_);
  return "not in " + section_ + (meant ? fmt::format("; did you mean '{}'?", shown(*meant)) : "");
}

std::string NameTable::hint() const { return section_ + " has: " + listed(names_); }

std::optional<std::int32_t> NameTable::find(const Field& field, Report& report) const {
  const auto name = read_text(field, "a name from " + section_, report);
  const auto position = name ? position_of(*name) : std::nullopt;
  if (name && !position && !names_.empty()) {
    report.error(field, fmt::format("is '{}', which is {}", shown(*name), not_in(*name, report)),
                 hint());
  }
  return position;
}

std::optional<std::int32_t> NameTable::find(const Entry& entry, const std::string& path,
                                            Report& report) const {
  const auto position = position_of(entry.key);
  if (!position && !names_.empty()) {
    report.error(entry.mark, path, "is " + not_in(entry.key, report), hint());
  }
  return position;
}

std::optional<ModelId> read_model(const MapReader& map, std::string_view key, const Names& names,
                                  Report& report) {
  const auto field = map.value(key);
  const auto index = field ? names.models.find(*field, report) : std::nullopt;
  return index ? std::optional(ModelId{*index}) : std::nullopt;
}

std::optional<NodeSetId> read_node_set(const MapReader& map, std::string_view key,
                                       const Names& names, Report& report) {
  const auto field = map.value(key);
  const auto index = field ? names.node_sets.find(*field, report) : std::nullopt;
  return index ? std::optional(NodeSetId{*index}) : std::nullopt;
}

void RowSet::add(const Key& key, const Field& row) {
  const auto [first, is_new] = rows_.emplace(key, row);
  if (is_new) return;
  report_.error(
      row, fmt::format("repeats {} in line {}", first->second.path, first->second.node->mark.line),
      "keep one of them");
}

}  // namespace espalier
