// SPDX-License-Identifier: Apache-2.0
#include "node/meeting_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/file_error.h"
#include "files/descriptor.h"
#include "wire/digest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";
constexpr std::size_t kPiece = std::size_t{1} << 16U;
constexpr std::chrono::milliseconds kBetweenTries{10};

[[noreturn]] void fail_at(const fs::path& path, const std::string& what) {
  throw FileError(path.string() + ": " + what + ": " + std::generic_category().message(errno),
                  "check the folder for temporary files; TMPDIR names another");
}

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Others may have put one in its place: they must have no say in what is in it.
void require_own(const fs::path& path, int folder) {
  struct stat about {};
  if (::fstat(folder, &about) != 0) fail_at(path, "cannot look at it");
  if (about.st_uid == ::geteuid() && (about.st_mode & 0077) == 0) return;
  throw Error(ErrorCode::RunFailed, path.string() + ": belongs to others, or they may enter",
              "remove it, or let TMPDIR name another place");
}

struct flock whole_file(short kind) {
  struct flock all {};
  all.l_type = kind;
  all.l_whence = SEEK_SET;
  return all;
}

// Belongs to what was opened, not to the process: the kernel releases it when that is gone.
bool lock_file(int file) {
  const struct flock all = whole_file(F_WRLCK);
  return ::fcntl(file, F_OFD_SETLK, &all) == 0;
}

bool is_locked(int file) {
  struct flock found = whole_file(F_RDLCK);
  return ::fcntl(file, F_OFD_GETLK, &found) == 0 && found.l_type != F_UNLCK;
}

int open_lock(int folder) {
  return ::openat(folder, kLock, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

bool is_same(const fs::path& path, int folder) {
  struct stat named {};
  struct stat opened {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(folder, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

// By way of `aside`, a name that nobody else uses. One at a time: who looked at it and came second
// would remove what the first one put in its place.
void remove_dead(const fs::path& path, const fs::path& aside) {
  const Descriptor folder(open_folder(path));
  if (folder.value() < 0 && errno == ENOENT) return;
  if (folder.value() < 0) fail_at(path, "cannot open this folder");
  require_own(path, folder.value());
  const Descriptor lock(open_lock(folder.value()));
  const bool is_led = lock.value() >= 0 && is_locked(lock.value());
  const bool is_ours = !is_led && ::flock(folder.value(), LOCK_EX | LOCK_NB) == 0;
  if (!is_led && !is_ours && errno != EWOULDBLOCK) fail_at(path, "cannot lock this folder");
  if (!is_ours)
    throw Error(ErrorCode::RunFailed, path.string() + ": another group meets there already",
                "--group HOST:PORT names a place of its own");
  if (!is_same(path, folder.value())) return;
  if (::rename(path.c_str(), aside.c_str()) != 0) fail_at(path, "cannot move this folder");
  std::error_code failure;
  fs::remove_all(aside, failure);
  if (failure)
    throw FileError(path.string() +
                    ": cannot remove what a killed group left: " + failure.message());
}

// Complete and locked before anybody can see it.
void move_into_place(const fs::path& from, const fs::path& to) {
  while (::rename(from.c_str(), to.c_str()) != 0) {
    if (errno != ENOTEMPTY && errno != EEXIST) fail_at(to, "cannot make this folder");
    remove_dead(to, from.string() + "-dead");
  }
}

std::string file_of(const std::string& key) { return object_of(key).sha256; }

bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

// Nothing where the disk does not play along.
std::optional<std::string> read_all(int file) {
  std::string text;
  std::size_t done = 0;
  for (;;) {
    text.resize(done + kPiece);
    const ssize_t count = ::read(file, text.data() + done, kPiece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
    text.resize(done);
    if (count == 0) return text;
  }
}

}  // namespace

MeetingFolder::MeetingFolder(fs::path path, int rank, std::chrono::milliseconds patience,
                             const std::stop_token& stop)
    : path_(std::move(path)), rank_(rank) {
  if (rank_ == 0) {
    lead();
    return;
  }
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!join()) {
    if (stop.stop_requested() || std::chrono::steady_clock::now() >= end)
      throw Error(ErrorCode::RunFailed, path_.string() + ": rank 0 of the group did not come");
    std::this_thread::sleep_for(kBetweenTries);
  }
}

MeetingFolder::~MeetingFolder() {
  std::error_code ignored;
  if (rank_ == 0 && is_same(path_, folder_.value())) fs::remove_all(path_, ignored);
}

void MeetingFolder::lead() {
  std::string made = path_.string() + "-XXXXXX";
  if (::mkdtemp(made.data()) == nullptr) fail_at(path_, "cannot make this folder");
  Descriptor folder(open_folder(made));
  Descriptor lock(
      ::openat(folder.value(), kLock, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  try {
    if (lock.value() < 0 || !lock_file(lock.value())) fail_at(made, "cannot lock this folder");
    move_into_place(made, path_);
  } catch (const Error&) {
    std::error_code ignored;
    fs::remove_all(made, ignored);
    throw;
  }
  folder_ = std::move(folder);
  lock_ = std::move(lock);
}

bool MeetingFolder::join() {
  Descriptor folder(open_folder(path_));
  if (folder.value() < 0) return false;
  require_own(path_, folder.value());
  Descriptor lock(open_lock(folder.value()));
  if (lock.value() < 0 || !is_locked(lock.value())) return false;
  folder_ = std::move(folder);
  lock_ = std::move(lock);
  return true;
}

void MeetingFolder::require_leader() const {
  if (rank_ == 0 || is_locked(lock_.value())) return;
  throw Error(ErrorCode::RunFailed, path_.string() + ": rank 0 of the group is gone");
}

void MeetingFolder::put(const std::string& key, const std::string& value) {
  require_leader();
  const std::string name = file_of(key);
  const std::string fresh = name + ".new" + std::to_string(rank_);
  const Descriptor file(::openat(folder_.value(), fresh.c_str(),
                                 O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.value() < 0 || !write_all(file.value(), value) ||
      ::renameat(folder_.value(), fresh.c_str(), folder_.value(), name.c_str()) != 0)
    fail_at(path_, "cannot write to this folder");
}

std::optional<std::string> MeetingFolder::look(const std::string& key) const {
  const Descriptor file(
      ::openat(folder_.value(), file_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.value() >= 0) {
    if (auto text = read_all(file.value())) return text;
  }
  if (errno != ENOENT) fail_at(path_, "cannot read in this folder");
  require_leader();
  return std::nullopt;
}

void MeetingFolder::clear(const std::string& key) {
  if (::unlinkat(folder_.value(), file_of(key).c_str(), 0) != 0 && errno != ENOENT)
    fail_at(path_, "cannot remove from this folder");
}

}  // namespace espalier
