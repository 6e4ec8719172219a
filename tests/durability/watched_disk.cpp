// SPDX-License-Identifier: Apache-2.0
#include "durability/watched_disk.h"

#include <cstdio>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace espalier {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<dev_t, ino_t>;

// What can be told of a file's content without reading it.
struct FileState {
  off_t size = -1;
  time_t seconds = 0;
  long nanoseconds = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

struct Disk {
  std::mutex mutex;
  std::map<FileId, FileState> flushed;
  std::vector<DiskDeed> deeds;
};

// Functions of the C library have no place of their own.
Disk& disk() {
  static Disk one;
  return one;
}

FileState state_of(const struct stat& about) {
  return {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

bool is_known_safe(const struct stat& about) {
  const auto known = disk().flushed.find({about.st_dev, about.st_ino});
  return known != disk().flushed.end() && known->second == state_of(about);
}

fs::path path_of(int descriptor) {
  if (descriptor == AT_FDCWD) return fs::current_path();
  std::error_code unknown;
  return fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), unknown);
}

int flush(int descriptor, long call) {
  const auto result = static_cast<int>(::syscall(call, descriptor));
  struct stat about {};
  if (result != 0 || ::fstat(descriptor, &about) != 0) return result;
  const std::lock_guard lock(disk().mutex);
  disk().flushed[{about.st_dev, about.st_ino}] = state_of(about);
  disk().deeds.push_back({DiskDeed::Kind::Flush, path_of(descriptor)});
  return result;
}

int rename_in(int from_folder, const char* from, int to_folder, const char* to) {
  struct stat about {};
  const bool is_there = ::fstatat(from_folder, from, &about, AT_SYMLINK_NOFOLLOW) == 0;
  const std::lock_guard lock(disk().mutex);
  const bool was_safe = is_there && is_known_safe(about);
  const auto result =
      static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
  disk().deeds.push_back({DiskDeed::Kind::Rename, path_of(to_folder) / to, was_safe});
  return result;
}

}  // namespace

std::vector<DiskDeed> deeds_of(const std::function<void()>& work) {
  {
    const std::lock_guard lock(disk().mutex);
    disk().deeds.clear();
  }
  work();
  const std::lock_guard lock(disk().mutex);
  return std::exchange(disk().deeds, {});
}

bool is_safe(const fs::path& file) {
  struct stat about {};
  const std::lock_guard lock(disk().mutex);
  return ::stat(file.c_str(), &about) == 0 && is_known_safe(about);
}

}  // namespace espalier

extern "C" {

int fsync(int descriptor) { return espalier::flush(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return espalier::flush(descriptor, SYS_fdatasync); }

int rename(const char* from, const char* to) noexcept {
  return espalier::rename_in(AT_FDCWD, from, AT_FDCWD, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return espalier::rename_in(from_folder, from, to_folder, to);
}
}
