// SPDX-License-Identifier: Apache-2.0
#include "io/diagnostic.h"

namespace espalier {

std::string Diagnostic::text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (!text.empty()) text += ": ";
  if (!key.empty()) text += key + " ";
  return text + what;
}

}  // namespace espalier
