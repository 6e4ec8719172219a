// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace espalier {

// A file that is written without following a link, symbolic or hard: whoever plants one there gains
// nothing. Made where it is not there yet, closed at the end. Owned by one thread.
class WrittenFile {
 public:
  enum class From { Anew, End };

  WrittenFile(const std::filesystem::path& path, From from)
      : descriptor_(::open(path.c_str(), kAlways | (from == From::End ? O_APPEND : 0), 0644)),
        is_sound_(has_one_name() && (from == From::End || ::ftruncate(descriptor_, 0) == 0)) {}
  ~WrittenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;

  void write(std::string_view bytes) {
    while (is_sound_ && !bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      is_sound_ = count >= 0;
      if (is_sound_) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // Whether it could be opened, and all was written.
  bool is_sound() const { return is_sound_; }

 private:
  static constexpr int kAlways =
      O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;

  bool has_one_name() const {
    struct stat about {};
    return ::fstat(descriptor_, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 1;
  }

  const int descriptor_;
  bool is_sound_;
};

}  // namespace espalier
