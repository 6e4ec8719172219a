// SPDX-License-Identifier: Apache-2.0
#include "experiments/trace_folder.h"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "files/file_lock.h"
#include "io/durable_write.h"
#include "io/text_file.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestRecord = std::size_t{64} << 20;
constexpr std::string_view kNetworkBegin = "after-";
constexpr std::string_view kNetworkEnd = ".safetensors";

// The step of "after-5.safetensors".
std::optional<int> step_of(std::string_view name) {
  if (!name.starts_with(kNetworkBegin) || !name.ends_with(kNetworkEnd)) return std::nullopt;
  name.remove_prefix(kNetworkBegin.size());
  name.remove_suffix(kNetworkEnd.size());
  int step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  const bool is_read = error == std::errc{} && end == name.data() + name.size();
  return is_read ? std::optional(step) : std::nullopt;
}

// Calls `use` with the name of each file, not of folders.
template <class Use>
void for_each_file(const fs::path& folder, const Use& use) {
  std::error_code failure;
  for (fs::directory_iterator i(folder, failure), end; !failure && i != end; i.increment(failure)) {
    std::error_code unknown;
    if (i->is_regular_file(unknown)) use(i->path().filename().string());
  }
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::BadInput, file.string() + ": " + why,
              "delete it to have the run made again");
}

}  // namespace

// Node sets may be called almost anything, even "..": hence "on-".
fs::path TraceFolder::folder_of(const std::string& run) const {
  fs::path folder = root_ / "runs";
  std::size_t begin = 0;
  for (int part = 0; begin <= run.size(); ++part) {
    const std::size_t end = std::min(run.find('/', begin), run.size());
    const bool is_nodes = part % 2 == 1;
    folder /= (is_nodes ? "on-" : "") + run.substr(begin, end - begin);
    begin = end + 1;
  }
  return folder;
}

BranchRecord TraceFolder::record_of(const Branch& branch) const {
  const fs::path file = folder_of(branch.run) / "trace.csv";
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return {};
  const auto text = read_text_file(file, kLargestRecord);
  if (const auto* fault = std::get_if<FileFault>(&text)) refuse(file, fault->what);
  BranchRecord record = parse_record(std::get<std::string>(text), file.string());
  if (!fits(record.rows, branch, 0)) refuse(file, "does not hold the steps of run " + branch.run);
  return record;
}

void TraceFolder::keep_record(const Branch& branch, const BranchRecord& record) const {
  write_durably(folder_of(branch.run) / "trace.csv", record_text(record));
}

std::set<int> TraceFolder::networks_of(const std::string& run) const {
  std::set<int> steps;
  for_each_file(folder_of(run), [&](const std::string& name) {
    if (const auto step = step_of(name)) steps.insert(*step);
  });
  return steps;
}

fs::path TraceFolder::network_file(const std::string& run, int step) const {
  return folder_of(run) / fmt::format("{}{}{}", kNetworkBegin, step, kNetworkEnd);
}

void TraceFolder::drop_network(const std::string& run, int step) const {
  std::error_code ignored;
  fs::remove(network_file(run, step), ignored);
}

void TraceFolder::prepare(const std::string& run) const {
  const fs::path folder = folder_of(run);
  make_folder_durably(folder);
  for_each_file(folder, [&](const std::string& name) {
    std::error_code ignored;
    if (name.ends_with(".tmp")) fs::remove(folder / name, ignored);
  });
}

FolderLock::FolderLock(const TraceFolder& folder) {
  make_folder_durably(folder.root());
  const fs::path file = folder.file("lock");
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ >= 0 && take_lock(descriptor_)) return;
  const int error = errno;
  if (descriptor_ >= 0) ::close(descriptor_);
  if (error == EWOULDBLOCK) {
    throw Error(ErrorCode::NotAllowed,
                "'" + folder.root().string() + "' is in use: somebody else collects into it",
                "wait until that is done, or choose another --output");
  }
  throw Error(ErrorCode::RunFailed,
              file.string() + ": cannot be locked: " + std::generic_category().message(error),
              "choose an --output on a disk of this machine");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace espalier
