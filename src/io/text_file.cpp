// SPDX-License-Identifier: Apache-2.0
#include "io/text_file.h"

#include <array>
#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "files/readable_file.h"

namespace espalier {
namespace {

FileFault system_fault(int error) {
  const std::string reason = std::generic_category().message(error);
  if (error == ENOENT)
    return {"no such file", "check the path; paths are relative to where you are"};
  if (error == EACCES) return {"not readable: " + reason, "check the permissions of the file"};
  return {"not readable: " + reason, ""};
}

FileFault too_large(std::size_t most) {
  return {fmt::format("larger than {} MiB", most >> 20),
          "a scenario is a short text; is this the right file?"};
}

}  // namespace

std::variant<std::string, FileFault> read_text_file(const std::filesystem::path& path,
                                                    std::size_t most) {
  const ReadableFile file(path);
  if (file.descriptor() < 0) return system_fault(errno);
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return system_fault(errno);
  if (S_ISDIR(status.st_mode)) return FileFault{"a directory, not a file", "name a file in it"};
  if (!S_ISREG(status.st_mode)) {
    return FileFault{"not a regular file", "save it to a file first"};
  }
  if (static_cast<std::size_t>(status.st_size) > most) return too_large(most);
  std::string text;
  text.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, 1 << 14> piece{};
  while (text.size() <= most) {
    const ssize_t count = ::read(file.descriptor(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_fault(errno);
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return too_large(most);
}

}  // namespace espalier
