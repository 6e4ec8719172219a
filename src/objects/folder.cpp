// SPDX-License-Identifier: Apache-2.0
#include "objects/folder.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/file_error.h"

namespace espalier {
namespace {

[[noreturn]] void fail_on(const std::string& path, const char* what, int error) {
  throw FileError(path + ": cannot " + what + ": " + std::generic_category().message(error),
                  "check the folder, its permissions and the space on the disk");
}

constexpr int kAlways = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

// Nobody but us has a say in a file that is a file and has one name.
void require_regular(int descriptor, const std::string& shown) {
  struct stat about {};
  if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink <= 1) return;
  ::close(descriptor);
  throw FileError(shown + ": not a regular file of one name",
                  "something else was put there; remove it");
}

}  // namespace

OpenFile OpenFile::to_read(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | kAlways);
  if (descriptor < 0) fail_on(path.string(), "open", errno);
  OpenFile file(descriptor, path.string());
  struct stat about {};
  if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) return file;
  throw FileError(path.string() + ": not a regular file");
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t OpenFile::size() const {
  struct stat about {};
  if (::fstat(descriptor_, &about) != 0) fail_on(shown_, "look at it", errno);
  return static_cast<std::uint64_t>(about.st_size);
}

std::string OpenFile::read(std::uint64_t offset, std::size_t bytes) const {
  std::string all(bytes, '\0');
  all.resize(read(offset, std::span<char>(all)));
  return all;
}

std::size_t OpenFile::read(std::uint64_t offset, std::span<char> room) const {
  std::size_t there = 0;
  while (there < room.size()) {
    const ssize_t count = ::pread(descriptor_, room.data() + there, room.size() - there,
                                  static_cast<off_t>(offset + there));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_on(shown_, "read", errno);
    if (count == 0) break;
    there += static_cast<std::size_t>(count);
  }
  return there;
}

void OpenFile::write(std::uint64_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_on(shown_, "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void OpenFile::truncate(std::uint64_t size) const {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail_on(shown_, "shorten", errno);
}

// Where it fails, `flush` does all of it, or tells why not.
void OpenFile::begin_flush(std::uint64_t offset, std::uint64_t bytes) const {
  ::sync_file_range(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(bytes),
                    SYNC_FILE_RANGE_WRITE);
}

void OpenFile::flush() const {
  if (::fsync(descriptor_) != 0) fail_on(shown_, "flush", errno);
}

Folder::Folder(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.empty()) path_ = ".";
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor_ < 0) fail_on(path_.string(), "open this folder", errno);
}

Folder::~Folder() { ::close(descriptor_); }

std::optional<std::uint64_t> Folder::size_of(const std::string& name) const {
  struct stat about {};
  if (::fstatat(descriptor_, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) return {};
  if (!S_ISREG(about.st_mode)) return {};
  return static_cast<std::uint64_t>(about.st_size);
}

OpenFile Folder::open(const std::string& name) const { return open_with(name, O_RDONLY); }

OpenFile Folder::open_or_create(const std::string& name) const {
  return open_with(name, O_RDWR | O_CREAT);
}

OpenFile Folder::open_with(const std::string& name, int flags) const {
  const std::string shown = (path_ / name).string();
  const int descriptor = ::openat(descriptor_, name.c_str(), flags | kAlways, 0600);
  if (descriptor < 0) fail_on(shown, "open", errno);
  require_regular(descriptor, shown);
  return {descriptor, shown};
}

void Folder::rename(const std::string& from, const std::string& to) const {
  if (::renameat(descriptor_, from.c_str(), descriptor_, to.c_str()) != 0)
    fail_on((path_ / to).string(), "rename", errno);
  if (::fsync(descriptor_) != 0) fail_on(path_.string(), "flush", errno);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> all;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(path_, failure))
    if (entry.symlink_status().type() != std::filesystem::file_type::directory)
      all.push_back(entry.path().filename().string());
  if (failure) fail_on(path_.string(), "list", failure.value());
  return all;
}

void Folder::remove(const std::string& name) const {
  if (::unlinkat(descriptor_, name.c_str(), 0) != 0 && errno != ENOENT)
    fail_on((path_ / name).string(), "remove", errno);
}

}  // namespace espalier
