// SPDX-License-Identifier: Apache-2.0
// Who may come in, as the files of a certificate folder say at this very moment.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string_view>

#include "certificates/name_list.h"

namespace espalier {

// A certificate is allowed if it is in `allowed` and not in `revoked`. Where a file cannot be read,
// or a line of `revoked` cannot, nobody is. Thread-safe.
class AllowList {
 public:
  explicit AllowList(std::filesystem::path folder);

  // Looks whether the files have changed, and reads them if so.
  bool allows(std::string_view name, std::string_view fingerprint);
  // Another number whenever they have changed.
  std::uint64_t version();

 private:
  // What tells one state of a file from another.
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t size = -1;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  static Stamp stamp_of(const std::filesystem::path& path);
  void renew();

  const std::filesystem::path allowed_path_;
  const std::filesystem::path revoked_path_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::array<Stamp, 2> stamps_;
  NameList allowed_;
  NameList revoked_;
  bool is_readable_ = false;
  std::uint64_t version_ = 0;
};

}  // namespace espalier
