// SPDX-License-Identifier: Apache-2.0
// Reads maps and lists of a document against the schema. Whatever is wrong is reported once; the
// caller gets a usable value all the same and reads on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/report.h"
#include "io/schema.h"

namespace espalier {

// One map. Reports at once what is no map, and keys that are unknown or repeated. Owned by one
// thread; the document and the report must outlive it.
class MapReader {
 public:
  MapReader(Field field, Shape shape, Report& report);

  bool is_map() const { return is_map_; }
  bool has(std::string_view key) const { return field_.node->find(key) != nullptr; }
  const Field& field() const { return field_; }
  // Whether `key` is absent because of a slip that is reported already.
  bool is_misspelt(std::string_view key) const;

  // The value of a key. Nothing if it is absent; that is reported if the key is required.
  std::optional<Field> value(std::string_view key) const;
  // A number, time or energy within its bounds; its default if it is absent or wrong.
  double number(std::string_view key) const;
  // A whole number within its bounds; the same.
  std::int64_t whole(std::string_view key) const { return static_cast<std::int64_t>(number(key)); }
  // Which of the key's choices is written; the first if it is absent or wrong.
  std::size_t choice(std::string_view key) const;
  // Reports a key that is absent though it must be there in this case.
  void require(std::string_view key) const;

 private:
  void check_keys();
  void report_unknown(const Entry& entry);
  void report_missing(const KeySchema& key) const;

  const Field field_;
  const MapSchema& schema_;
  Report& report_;
  bool is_map_ = false;
  std::vector<std::string>
      meant_;  // known keys that were probably misspelt; not reported as missing
};

// A number within its bounds; nothing if it is wrong, which is reported.
std::optional<double> read_number(const Field& field, const KeySchema& key, Report& report);

// Reports keys that are written twice.
void check_repeated(const Field& map, Report& report);

// The text of a scalar; nothing if it is none, which is reported. `noun` says what it ought to be.
std::optional<std::string> read_text(const Field& field, std::string_view noun, Report& report);

// A text that can be the name of a file. `example` is one.
std::string read_file_name(const Field& field, std::string_view example, Report& report);

// Whether it matches [A-Za-z0-9._-]{1,64}.
bool is_name(std::string_view text);
constexpr const char* kNameHint = "use 1 to 64 letters, digits, dots, dashes and underscores";

// How many rows or entries a list or map may have.
struct Count {
  std::size_t least;
  std::size_t most;
};

// Calls `read` for each row of a list; reports what is no list, or has too few or too many rows.
void for_each_item(const Field& list, Count count, Report& report,
                   const std::function<void(const Field&)>& read);

// Calls `read` for each entry of a map of named things, with its value; reports what is no such
// map, bad names, and names given twice.
void for_each_name(const Field& map, Count count, Report& report,
                   const std::function<void(const Entry&, const Field&)>& read);

}  // namespace espalier
