// SPDX-License-Identifier: Apache-2.0
#include "io/durable_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

#include "core/error.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw Error(
      ErrorCode::RunFailed,
      "'" + path.string() + "' could not be written: " + std::generic_category().message(error),
      is_full ? "make room on the disk, then start again: what is done is kept"
              : "check that the folder can be written to");
}

// Closes what it opened.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

// 0, or errno.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

int write_and_sync(const fs::path& path, std::string_view bytes) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.value() < 0) return errno;
  if (const int error = write_all(file.value(), bytes)) return error;
  return ::fsync(file.value()) == 0 ? 0 : errno;
}

int sync(const fs::path& path) {
  const Descriptor file(path, O_RDONLY);
  if (file.value() < 0) return errno;
  return ::fsync(file.value()) == 0 ? 0 : errno;
}

int rename_and_sync(const fs::path& written, const fs::path& path) {
  if (::rename(written.c_str(), path.c_str()) != 0) return errno;
  return sync(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

}  // namespace

void write_durably(const fs::path& path, std::string_view bytes) {
  fs::path temporary = path;
  temporary += ".tmp";
  int error = write_and_sync(temporary, bytes);
  if (error == 0) error = rename_and_sync(temporary, path);
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail(path, error);
}

void rename_durably(const fs::path& written, const fs::path& path) {
  int error = sync(written);
  if (error == 0) error = rename_and_sync(written, path);
  if (error == 0) return;
  ::unlink(written.c_str());
  fail(path, error);
}

}  // namespace espalier
