// SPDX-License-Identifier: Apache-2.0
#include "io/byte_source.h"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/error.h"

namespace espalier {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what,
                       const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, name + ": " + what, hint);
}

[[noreturn]] void fail_reading(const std::string& name, int error) {
  if (error == ENOENT) {
    fail(name, "no such file", "check the path; paths are relative to where you are");
  }
  fail(name, "not readable: " + std::generic_category().message(error));
}

}  // namespace

void BufferSource::read(uint64_t offset, std::span<char> bytes) {
  ESPALIER_CHECK(offset <= bytes_.size() && bytes.size() <= bytes_.size() - offset);
  bytes_.copy(bytes.data(), bytes.size(), offset);
}

FileSource::FileSource(const std::filesystem::path& path) : name_(path.string()), file_(path) {
  struct stat status {};
  if (file_.descriptor() < 0 || ::fstat(file_.descriptor(), &status) != 0) {
    fail_reading(name_, errno);
  }
  if (!S_ISREG(status.st_mode)) fail(name_, "not a regular file", "name a file");
  size_ = static_cast<uint64_t>(status.st_size);
}

void FileSource::read(uint64_t offset, std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pread(file_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_reading(name_, errno);
    if (count == 0) fail(name_, "became shorter while it was read");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
}

}  // namespace espalier
