// SPDX-License-Identifier: Apache-2.0
// Where answers go: stdout for the one answer, stderr for everything that is said beside it.
#pragma once

#include <string>
#include <string_view>

#include "render/ink.h"

namespace espalier {

enum class Format { Table, Json };

// What people may say about output, as they say it.
struct OutputOptions {
  std::string format = "table";
  std::string color = "auto";
};

// Owned by one thread.
class Console {
 public:
  explicit Console(const OutputOptions& options);

  Format format() const { return format_; }
  const Ink& ink() const { return ink_; }
  // The answer. REQUIRES: at most one call with Format::Json.
  void answer(std::string_view text) const;
  // Something for people beside the answer.
  void remark(std::string_view text) const;

 private:
  Format format_;
  Ink ink_;
};

// Whether people watch standard error.
bool stderr_is_terminal();

}  // namespace espalier
