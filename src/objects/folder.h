// SPDX-License-Identifier: Apache-2.0
// Files in one folder, without following links: whoever can plant a link in it gains nothing.
// Everything throws FileError where the disk does not play along.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

// A regular file that is open. Owned by one thread at a time.
class OpenFile {
 public:
  static OpenFile to_read(const std::filesystem::path& path);

  OpenFile(int descriptor, std::string shown) : descriptor_(descriptor), shown_(std::move(shown)) {}
  OpenFile(OpenFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), shown_(std::move(other.shown_)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  std::uint64_t size() const;
  // `bytes` at most, fewer only at the end of the file.
  std::string read(std::uint64_t offset, std::size_t bytes) const;
  // The same, to where `room` is. Returns how many there were.
  std::size_t read(std::uint64_t offset, std::span<char> room) const;
  void write(std::uint64_t offset, std::string_view bytes) const;
  void truncate(std::uint64_t size) const;
  // Has bytes on their way to the disk while others come: less is left for `flush`.
  void begin_flush(std::uint64_t offset, std::uint64_t bytes) const;
  void flush() const;

 private:
  int descriptor_;
  std::string shown_;  // in messages
};

// REQUIRES of every `name`: no path. Thread-safe.
class Folder {
 public:
  // Must be there, and no link.
  explicit Folder(std::filesystem::path path);
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  const std::filesystem::path& path() const { return path_; }
  // The size of a regular file; nothing where there is none of that name.
  std::optional<std::uint64_t> size_of(const std::string& name) const;
  // Of what is in it, but for folders.
  std::vector<std::string> names() const;
  OpenFile open(const std::string& name) const;
  OpenFile open_or_create(const std::string& name) const;
  // Replaces what is there, and is on the disk when it returns.
  void rename(const std::string& from, const std::string& to) const;
  void remove(const std::string& name) const;

 private:
  OpenFile open_with(const std::string& name, int flags) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace espalier
