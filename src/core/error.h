// SPDX-License-Identifier: Apache-2.0
// The one exception of our own, and the check for our own mistakes.
#pragma once

#include <stdexcept>
#include <string>

namespace espalier {

// What went wrong, as a machine sees it. The values are the program's exit codes.
enum class ErrorCode {
  RunFailed = 1,
  NotAllowed = 2,
  BadInput = 4,
  Bug = 5,
};

// The outside world did not do as hoped: input, disk, peer or library.
// `message` says where and what; `hint` what to do about it and may be empty.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

  ErrorCode code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  ErrorCode code_;
  std::string hint_;
};

// Throws Error{Bug}. Use through ESPALIER_CHECK.
[[noreturn]] void report_bug(const char* condition, const char* file, int line);

}  // namespace espalier

// Our own mistake if it fails; always on.
#define ESPALIER_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::espalier::report_bug(#condition, __FILE__, __LINE__))
