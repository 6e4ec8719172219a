// SPDX-License-Identifier: Apache-2.0
// Certificates as lines of a text file that people may edit: NAME [FINGERPRINT [UNTIL]], with UNTIL
// in seconds since 1970. Without a fingerprint: all certificates of that name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "certificates/x509.h"

namespace espalier {

struct ListedName {
  std::string name;
  std::string fingerprint;  // may be empty
  WallTime until{};
};

struct NameList {
  std::vector<ListedName> names;
  bool is_sound = true;  // whether every line could be read
};

// Empty lines, and those that begin with #, say nothing.
NameList parse_names(std::string_view text);
std::string line_of(const ListedName& listed);
bool names_certificate(const ListedName& listed, std::string_view name,
                       std::string_view fingerprint);

}  // namespace espalier
