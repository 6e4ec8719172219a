// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_directory.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "files/file_lock.h"
#include "io/durable_write.h"
#include "io/wording.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRuns = "runs";

std::optional<pid_t> pid_in(int descriptor) {
  std::string text(32, '\0');
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
  if (count <= 0) return std::nullopt;
  const long pid = std::strtol(text.c_str(), nullptr, 10);
  return pid > 0 ? std::optional(static_cast<pid_t>(pid)) : std::nullopt;
}

// What goes while it looks, as files of a run under way do, is no longer there to be followed.
void refuse_links_in(const fs::path& folder) {
  std::error_code failure;
  for (fs::directory_iterator i(folder, failure), end; !failure && i != end; i.increment(failure)) {
    std::error_code unknown;
    const fs::file_type type = i->symlink_status(unknown).type();
    if (type == fs::file_type::directory) refuse_links_in(i->path());
    if (type != fs::file_type::symlink) continue;
    throw Error(ErrorCode::BadInput,
                "'" + shown(i->path().string()) + "' is a link; a run's folder has none",
                "put there what it leads to, if you know who made it");
  }
}

}  // namespace

fs::path RunDirectory::plan(std::size_t number) const {
  return root_ / "plans" / fmt::format("{:04}.json", number);
}

void RunDirectory::make() const {
  for (const fs::path& folder : {root_ / "plans", models(), objects(), agents()})
    make_folder_durably(folder);
}

void RunDirectory::refuse_links() const { refuse_links_in(root_); }

bool RunDirectory::holds_run() const {
  std::error_code unknown;
  return fs::exists(journal(), unknown) || fs::exists(settings(), unknown);
}

RunDirectory new_run_directory(const std::string& name) {
  for (int number = 1;; ++number) {
    RunDirectory directory(fs::path(kRuns) / fmt::format("{}-{}", name, number));
    std::error_code unknown;
    if (!fs::exists(directory.root(), unknown)) return directory;
  }
}

RunDirectory latest_run_directory() {
  std::optional<fs::path> latest;
  fs::file_time_type newest{};
  std::error_code failure;
  for (fs::directory_iterator i(kRuns, failure), end; !failure && i != end; i.increment(failure)) {
    const RunDirectory candidate(i->path());
    std::error_code unknown;
    const auto made = fs::last_write_time(candidate.settings(), unknown);
    // One that never began, and whose process was killed, is none to go on with.
    const bool has_begun = fs::exists(candidate.journal(), unknown);
    if (unknown || !has_begun || (latest && made <= newest)) continue;
    latest = i->path();
    newest = made;
  }
  if (latest) return RunDirectory(*latest);
  throw Error(ErrorCode::BadInput, "there is no run in the folder 'runs' here",
              "name the folder of a run, or begin one: espalier run FILE");
}

RunDirectory run_directory_of(const std::string& named) {
  RunDirectory directory = named.empty() ? latest_run_directory() : RunDirectory(named);
  directory.refuse_links();
  if (directory.holds_run()) return directory;
  throw Error(ErrorCode::BadInput, "'" + shown(named) + "' holds no run",
              "name the folder that 'espalier run' told, such as runs/factory-1");
}

RunLock::RunLock(const RunDirectory& directory) {
  const fs::path file = directory.lock();
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  const int open_error = errno;
  if (descriptor_ >= 0 && take_lock(descriptor_)) {
    const std::string pid = fmt::format("{:<12}\n", ::getpid());
    [[maybe_unused]] const auto written = ::pwrite(descriptor_, pid.data(), pid.size(), 0);
    return;
  }
  const int error = descriptor_ < 0 ? open_error : errno;
  if (descriptor_ >= 0) ::close(descriptor_);
  if (error == EWOULDBLOCK) {
    throw Error(
        ErrorCode::NotAllowed,
        "'" + directory.root().string() + "' is in use: another process carries this run on",
        "'espalier status " + directory.root().string() + "' tells how far it is");
  }
  throw Error(ErrorCode::RunFailed,
              file.string() + ": cannot be locked: " + std::generic_category().message(error),
              "choose an --output on a disk of this machine");
}

RunLock::~RunLock() { ::close(descriptor_); }

std::optional<pid_t> holder_of(const RunDirectory& directory) {
  const int descriptor = ::open(directory.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return std::nullopt;
  // Shared: it is not to look taken to whoever wants it at this very moment.
  const bool is_free = ::flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  const auto pid = is_free ? std::nullopt : pid_in(descriptor);
  ::close(descriptor);
  return pid;
}

}  // namespace espalier
