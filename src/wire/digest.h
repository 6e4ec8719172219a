// SPDX-License-Identifier: Apache-2.0
// What an object is known by: the SHA-256 of its bytes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "wire/names.h"

namespace espalier {

// Takes bytes piece by piece. Owned by one thread.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void add(std::string_view bytes);
  // 64 lower-case hexadecimal digits, of all that was added. Nothing can be added afterwards.
  std::string finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

ObjectRef object_of(std::string_view bytes);
// Throws FileError where it cannot be read.
ObjectRef object_in(const std::filesystem::path& file);

}  // namespace espalier
