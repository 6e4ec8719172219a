// SPDX-License-Identifier: Apache-2.0
#include "certificates/name_list.h"

#include <cstdint>
#include <optional>
#include <sstream>

#include "wire/names.h"

namespace espalier {
namespace {

std::optional<ListedName> parse_line(const std::string& line) {
  std::istringstream words(line);
  ListedName listed;
  words >> listed.name >> listed.fingerprint;
  if (!is_wire_name(listed.name)) return {};
  if (!listed.fingerprint.empty() && !is_object_ref({listed.fingerprint, 0})) return {};
  std::int64_t until = 0;
  if (words >> until) listed.until = wall_time(until);
  return listed;
}

bool says_nothing(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos || line[first] == '#';
}

}  // namespace

NameList parse_names(std::string_view text) {
  NameList list;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (says_nothing(line)) continue;
    if (const auto listed = parse_line(line)) {
      list.names.push_back(*listed);
    } else {
      list.is_sound = false;
    }
  }
  return list;
}

std::string line_of(const ListedName& listed) {
  using std::chrono::duration_cast;
  using std::chrono::seconds;
  if (listed.fingerprint.empty()) return listed.name + "\n";
  const auto until = duration_cast<seconds>(listed.until.time_since_epoch()).count();
  return listed.name + " " + listed.fingerprint + " " + std::to_string(until) + "\n";
}

bool names_certificate(const ListedName& listed, std::string_view name,
                       std::string_view fingerprint) {
  return listed.name == name && (listed.fingerprint.empty() || listed.fingerprint == fingerprint);
}

}  // namespace espalier
