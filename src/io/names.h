// SPDX-License-Identifier: Apache-2.0
// The names that a scenario gives to its models and node sets, and references to them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "io/map_reader.h"

namespace espalier {

class NameTable {
 public:
  // `section` is where the names are given: "models".
  explicit NameTable(std::string section) : section_(std::move(section)) {}

  void add(const std::string& name);
  const std::vector<std::string>& names() const { return names_; }

  // The position of the name that `field` holds. Nothing if it holds none; that is reported, unless
  // no names could be read at all.
  std::optional<std::int32_t> find(const Field& field, Report& report) const;
  // The same for a name that is a key: `path` is that of the entry.
  std::optional<std::int32_t> find(const Entry& entry, const std::string& path,
                                   Report& report) const;

 private:
  std::optional<std::int32_t> position_of(const std::string& name) const;
  // "not in models; did you mean 'L'?"
  std::string not_in(const std::string& name, const Report& report) const;
  std::string hint() const;

  std::string section_;
  std::vector<std::string> names_;
  std::map<std::string, std::int32_t> positions_;
};

struct Names {
  NameTable models{"models"};
  NameTable node_sets{"nodes"};
};

std::optional<ModelId> read_model(const MapReader& map, std::string_view key, const Names& names,
                                  Report& report);
std::optional<NodeSetId> read_node_set(const MapReader& map, std::string_view key,
                                       const Names& names, Report& report);

// Tells rows that repeat an earlier one.
class RowSet {
 public:
  using Key = std::array<std::int32_t, 4>;
  explicit RowSet(Report& report) : report_(report) {}
  // Reports the row if an earlier one had this key.
  void add(const Key& key, const Field& row);

 private:
  std::map<Key, Field> rows_;
  Report& report_;
};

}  // namespace espalier
