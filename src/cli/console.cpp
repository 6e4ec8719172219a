// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <cstdlib>
#include <iostream>
#include <unistd.h>

#include "core/error.h"

namespace espalier {
namespace {

bool wants_colour(const std::string& color) {
  if (color == "always") return true;
  if (color == "never") return false;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused =
      (no_color && *no_color) || (terminal && std::string_view(terminal) == "dumb");
  return !refused && isatty(STDOUT_FILENO) == 1;
}

}  // namespace

Console::Console(const OutputOptions& options)
    : format_(options.format == "json" ? Format::Json : Format::Table),
      ink_(wants_colour(options.color) ? Ink::ansi() : Ink::none()) {}

void Console::answer(std::string_view text) const {
  std::cout << text << std::flush;
  if (!std::cout)
    throw Error(ErrorCode::RunFailed, "the answer could not be written to standard output");
}

void Console::remark(std::string_view text) const { std::cerr << text << std::flush; }

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace espalier
