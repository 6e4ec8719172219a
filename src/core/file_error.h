// SPDX-License-Identifier: Apache-2.0
// The error of this machine's own files.
#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace espalier {

// No room, no permission, a disk that is broken: no peer is to blame, and waiting for one is no
// use.
class FileError final : public Error {
 public:
  explicit FileError(const std::string& message, std::string hint = {})
      : Error(ErrorCode::RunFailed, message, std::move(hint)) {}
};

}  // namespace espalier
