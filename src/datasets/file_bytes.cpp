// SPDX-License-Identifier: Apache-2.0
#include "datasets/file_bytes.h"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "datasets/wording.h"
#include "files/readable_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_unreadable(const fs::path& path, int error) {
  if (error == ENOENT) refuse(path.string(), "no such file", "is the data set complete?");
  refuse(path.string(), "not readable: " + std::generic_category().message(error),
         error == EACCES ? "check the permissions of the file" : "");
}

std::size_t size_of(const ReadableFile& file, const fs::path& path, std::size_t most) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) refuse_unreadable(path, errno);
  if (!S_ISREG(status.st_mode)) refuse(path.string(), "not a regular file", "name a data file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) refuse(path.string(), "empty", "obtain the file again");
  if (size > most) {
    refuse(path.string(), counted(size) + " bytes; at most " + counted(most) + " are read",
           "is this the right file?");
  }
  return size;
}

}  // namespace

Bytes read_file_bytes(const fs::path& path, std::size_t most) {
  const ReadableFile file(path);
  if (file.descriptor() < 0) refuse_unreadable(path, errno);
  Bytes bytes(size_of(file, path, most));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_unreadable(path, errno);
    if (count == 0) refuse(path.string(), "became shorter while it was read", "try again");
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace espalier
