// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace espalier {

// Opens a file for reading, without waiting for the other end of a FIFO, and closes it at the end.
class ReadableFile {
 public:
  explicit ReadableFile(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {}
  ~ReadableFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;

  // Negative where it could not be opened; errno tells why.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace espalier
