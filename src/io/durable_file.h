// SPDX-License-Identifier: Apache-2.0
// A file that is there completely or not at all, whatever is killed at whatever instant.
#pragma once

#include <filesystem>
#include <string_view>

namespace espalier {

// Writes to a temporary file beside its destination; `commit` flushes it to disk, renames it, and
// flushes the directory. Without `commit` nothing is left behind. Throws Error{RunFailed} where the
// disk does not play along. Owned by one thread.
class DurableFile {
 public:
  explicit DurableFile(std::filesystem::path destination);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  void write(std::string_view bytes);
  // Replaces what was there. Nothing can be written afterwards.
  void commit();

 private:
  void flush();
  void flush_directory() const;

  std::filesystem::path destination_;
  std::filesystem::path temporary_;  // empty once renamed
  int descriptor_ = -1;
};

}  // namespace espalier
