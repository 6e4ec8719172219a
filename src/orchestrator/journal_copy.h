// SPDX-License-Identifier: Apache-2.0
// A copy of a journal with its log, where SQLite may make the files that it needs beside it.
#pragma once

#include <filesystem>

namespace espalier {

// Gone when this is destroyed. Owned by one thread.
class JournalCopy {
 public:
  explicit JournalCopy(const std::filesystem::path& journal);
  ~JournalCopy();
  JournalCopy(const JournalCopy&) = delete;
  JournalCopy& operator=(const JournalCopy&) = delete;

  // Whether there was room for it.
  bool is_complete() const { return is_complete_; }
  // Has the name of the original.
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path folder_;  // empty: none could be made
  std::filesystem::path file_;
  bool is_complete_ = false;
};

}  // namespace espalier
