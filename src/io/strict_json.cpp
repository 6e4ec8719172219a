// SPDX-License-Identifier: Apache-2.0
#include "io/strict_json.h"

#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"

namespace espalier {
namespace {

using nlohmann::json;

// Watches the parser: the library itself keeps the last of equal keys, and any depth.
class ParseGuard {
 public:
  ParseGuard(JsonPlace place, int most_depth) : place_(std::move(place)), most_depth_(most_depth) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start) {
      if (depth >= most_depth_) place_.fail("nested too deeply");
    }
    if (event == json::parse_event_t::object_start) keys_.emplace_back();
    if (event == json::parse_event_t::object_end) keys_.pop_back();
    if (event == json::parse_event_t::key) add_key(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void add_key(const std::string& key) {
    if (!keys_.back().insert(key).second) {
      place_.fail(fmt::format("the key '{}' appears twice", shown(key)));
    }
  }

  JsonPlace place_;
  int most_depth_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

[[noreturn]] void fail_kind(const json& value, const JsonPlace& place, const char* wanted) {
  place.fail(fmt::format("is {} instead of {}", value.type_name(), wanted));
}

}  // namespace

JsonPlace JsonPlace::key(std::string_view name) const {
  return {source, path.empty() ? shown(name) : fmt::format("{}.{}", path, shown(name))};
}

JsonPlace JsonPlace::item(std::size_t index) const {
  return {source, fmt::format("{}[{}]", path, index)};
}

void JsonPlace::fail(const std::string& what, const std::string& hint) const {
  const std::string where = path.empty() ? source + ": " : source + ": " + path + " ";
  throw Error(ErrorCode::BadInput, where + what, hint);
}

json parse_strict_json(std::string_view text, const std::string& source, int most_depth) {
  const JsonPlace whole{source, ""};
  ParseGuard guard(whole, most_depth);
  try {
    return json::parse(text.begin(), text.end(), std::ref(guard));
  } catch (const json::parse_error& error) {
    whole.fail(fmt::format("not JSON at byte {}", error.byte));
  } catch (const json::exception&) {
    whole.fail("JSON with a number that is too large");
  }
}

int64_t json_integer(const json& value, const JsonPlace& place) {
  if (!value.is_number_integer()) fail_kind(value, place, "an integer");
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (value.is_number_unsigned() && value.get<uint64_t>() > kMost) place.fail("is too large");
  return value.get<int64_t>();
}

double json_number(const json& value, const JsonPlace& place) {
  if (!value.is_number()) fail_kind(value, place, "a number");
  return value.get<double>();
}

bool json_flag(const json& value, const JsonPlace& place) {
  if (!value.is_boolean()) fail_kind(value, place, "true or false");
  return value.get<bool>();
}

std::string json_text(const json& value, const JsonPlace& place) {
  if (!value.is_string()) fail_kind(value, place, "a text");
  return value.get<std::string>();
}

const json& json_array(const json& value, const JsonPlace& place) {
  if (!value.is_array()) fail_kind(value, place, "a list");
  return value;
}

JsonObject::JsonObject(const json& value, JsonPlace place)
    : value_(value), place_(std::move(place)) {
  if (!value.is_object()) fail_kind(value, place_, "an object");
}

const json& JsonObject::at(const std::string& key) {
  asked_.insert(key);
  const auto found = value_.find(key);
  if (found == value_.end()) place_.fail(fmt::format("has no '{}'", key));
  return *found;
}

void JsonObject::finish() const {
  for (const auto& [key, value] : value_.items()) {
    if (asked_.contains(key)) continue;
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    place_.fail(fmt::format("has an unknown key '{}'{}", shown(key), did_you_mean(key, known)));
  }
}

}  // namespace espalier
