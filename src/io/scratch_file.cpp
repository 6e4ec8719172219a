// SPDX-License-Identifier: Apache-2.0
#include "io/scratch_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "core/error.h"

namespace espalier {
namespace {

[[noreturn]] void fail_scratch(const std::string& name, const char* what) {
  throw Error(ErrorCode::RunFailed,
              name + ": cannot " + what + ": " + std::generic_category().message(errno),
              "check the directory, its permissions and the space on the disk");
}

}  // namespace

ScratchFile::ScratchFile(const std::filesystem::path& folder)
    : name_((folder / ".scratch-XXXXXX").string()) {
  descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail_scratch(name_, "write");
  ::unlink(name_.c_str());
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

void ScratchFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_scratch(name_, "write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
    size_ += static_cast<uint64_t>(count);
  }
}

void ScratchFile::read(uint64_t offset, std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_scratch(name_, "read");
    ESPALIER_CHECK(count > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
}

}  // namespace espalier
