// SPDX-License-Identifier: Apache-2.0
#include "io/durable_write.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/error.h"
#include "io/durable_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, int error) {
  throw Error(
      ErrorCode::RunFailed,
      folder.string() + ": cannot make this folder: " + std::generic_category().message(error),
      "check the path, its permissions and the space on the disk");
}

// 0, or errno.
int flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error;
}

}  // namespace

void write_durably(const fs::path& path, std::string_view bytes) {
  DurableFile file(path);
  file.write(bytes);
  file.commit();
}

void make_folder_durably(const fs::path& folder) {
  std::error_code unknown;
  if (folder.empty() || fs::is_directory(folder, unknown)) return;
  const fs::path holder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  if (holder != folder) make_folder_durably(holder);
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) fail(folder, errno);
  if (!fs::is_directory(folder, unknown)) fail(folder, ENOTDIR);
  if (const int error = flush_folder(holder)) fail(folder, error);
}

}  // namespace espalier
