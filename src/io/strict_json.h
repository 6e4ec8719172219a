// SPDX-License-Identifier: Apache-2.0
// JSON from files and peers, read strictly: no key twice, none unknown, none missing, no deep
// nesting. Every fault is an Error{BadInput} that says where.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace espalier {

// "model.safetensors: layers[3].kernel", for messages.
struct JsonPlace {
  std::string source;
  std::string path;

  JsonPlace key(std::string_view name) const;
  JsonPlace item(std::size_t index) const;
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const;
};

// Parses one document of at most `most_depth` nested objects and arrays.
nlohmann::json parse_strict_json(std::string_view text, const std::string& source, int most_depth);

int64_t json_integer(const nlohmann::json& value, const JsonPlace& place);
double json_number(const nlohmann::json& value, const JsonPlace& place);
bool json_flag(const nlohmann::json& value, const JsonPlace& place);
std::string json_text(const nlohmann::json& value, const JsonPlace& place);
const nlohmann::json& json_array(const nlohmann::json& value, const JsonPlace& place);

// An object whose keys are asked for one by one. Owned by one thread; borrows the value.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& value, JsonPlace place);

  // Fails if it is missing.
  const nlohmann::json& at(const std::string& key);
  JsonPlace place(std::string_view key) const { return place_.key(key); }
  // Fails if there is a key that nobody asked for.
  void finish() const;

 private:
  const nlohmann::json& value_;
  JsonPlace place_;
  std::set<std::string> asked_;
};

}  // namespace espalier
