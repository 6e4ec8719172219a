// SPDX-License-Identifier: Apache-2.0
// Bytes that are read piece by piece: a file, or a buffer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "files/readable_file.h"

namespace espalier {

// Owned by one thread.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  // Fills `bytes`. Throws Error{BadInput} where they are no longer there. REQUIRES: within size().
  virtual void read(uint64_t offset, std::span<char> bytes) = 0;
  // For messages: a path, or who sent it.
  virtual const std::string& name() const = 0;
};

// Borrows the bytes.
class BufferSource final : public ByteSource {
 public:
  BufferSource(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  uint64_t size() const override { return bytes_.size(); }
  void read(uint64_t offset, std::span<char> bytes) override;
  const std::string& name() const override { return name_; }

 private:
  std::string_view bytes_;
  std::string name_;
};

// A regular file. Its size is that at the time of opening; one that shrinks is an error, no crash.
class FileSource final : public ByteSource {
 public:
  // Throws Error{BadInput} if it cannot be opened or isn't a regular file. Never blocks.
  explicit FileSource(const std::filesystem::path& path);
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<char> bytes) override;
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  ReadableFile file_;
  uint64_t size_ = 0;
};

}  // namespace espalier
