// SPDX-License-Identifier: Apache-2.0
#include "io/durable_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

constexpr int kMostAttempts = 1000;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw Error(
      ErrorCode::RunFailed,
      fmt::format("{}: cannot {}: {}", path.string(), what, std::generic_category().message(error)),
      "check the directory, its permissions and the space on the disk");
}

// One that no other process, and no run before this one, has made.
std::filesystem::path temporary_beside(const std::filesystem::path& destination, int attempt) {
  std::filesystem::path temporary = destination;
  temporary.replace_filename(
      fmt::format(".{}.{}-{}.tmp", destination.filename().string(), ::getpid(), attempt));
  return temporary;
}

int create(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
}

}  // namespace

DurableFile::DurableFile(std::filesystem::path destination) : destination_(std::move(destination)) {
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = temporary_beside(destination_, attempt);
    descriptor_ = create(temporary_);
    if (descriptor_ < 0 && (errno != EEXIST || attempt == kMostAttempts)) {
      fail(destination_, "write", errno);
    }
  }
}

DurableFile::~DurableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void DurableFile::write(std::string_view bytes) {
  ESPALIER_CHECK(descriptor_ >= 0);
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(destination_, "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void DurableFile::flush() {
  ESPALIER_CHECK(descriptor_ >= 0);
  const int synced = ::fsync(descriptor_);
  const int sync_error = errno;
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (synced != 0) fail(destination_, "flush", sync_error);
  if (closed != 0) fail(destination_, "close", errno);
}

void DurableFile::flush_directory() const {
  const auto parent = destination_.has_parent_path() ? destination_.parent_path() : ".";
  const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail(parent, "open", errno);
  const int synced = ::fsync(directory);
  const int error = errno;
  ::close(directory);
  if (synced != 0) fail(parent, "flush", error);
}

void DurableFile::commit() {
  flush();
  if (std::rename(temporary_.c_str(), destination_.c_str()) != 0) {
    fail(destination_, "replace", errno);
  }
  temporary_.clear();
  flush_directory();
}

}  // namespace espalier
