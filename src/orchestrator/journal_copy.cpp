// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/journal_copy.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace espalier {
namespace {

namespace fs = std::filesystem;

fs::path passing_folder() {
  std::error_code none;
  std::string name = (fs::temp_directory_path(none) / "espalier-XXXXXX").string();
  return ::mkdtemp(name.data()) != nullptr ? fs::path(name) : fs::path();
}

// A link is copied as one, so that nobody reads through it.
bool copy_to_write(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::copy(from, to, fs::copy_options::copy_symlinks, failure);
  if (failure) return false;
  fs::permissions(to, fs::perms::owner_write, fs::perm_options::add | fs::perm_options::nofollow,
                  failure);
  return true;
}

}  // namespace

JournalCopy::JournalCopy(const fs::path& journal) : folder_(passing_folder()) {
  if (folder_.empty()) return;
  file_ = folder_ / journal.filename();
  is_complete_ = copy_to_write(journal, file_);
  for (const char* part : {"-wal", ".head"}) {
    const fs::path from = fs::path(journal) += part;
    std::error_code none;
    if (fs::exists(from, none)) is_complete_ &= copy_to_write(from, fs::path(file_) += part);
  }
}

JournalCopy::~JournalCopy() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace espalier
