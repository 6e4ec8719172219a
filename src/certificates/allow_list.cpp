// SPDX-License-Identifier: Apache-2.0
#include "certificates/allow_list.h"

#include <algorithm>
#include <sys/stat.h>

#include "certificates/certificate_folder.h"
#include "core/error.h"
#include "objects/folder.h"

namespace espalier {
namespace {

constexpr std::size_t kLongestList = std::size_t{16} << 20;

bool is_listed(const NameList& list, std::string_view name, std::string_view fingerprint) {
  return std::any_of(list.names.begin(), list.names.end(), [&](const ListedName& listed) {
    return names_certificate(listed, name, fingerprint);
  });
}

}  // namespace

AllowList::AllowList(std::filesystem::path folder)
    : allowed_path_(folder / kAllowedFile), revoked_path_(folder / kRevokedFile) {}

AllowList::Stamp AllowList::stamp_of(const std::filesystem::path& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return {about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

void AllowList::renew() {
  const std::array<Stamp, 2> stamps{stamp_of(allowed_path_), stamp_of(revoked_path_)};
  if (version_ > 0 && stamps == stamps_) return;
  stamps_ = stamps;
  ++version_;
  try {
    allowed_ = parse_names(OpenFile::to_read(allowed_path_).read(0, kLongestList));
    revoked_ = parse_names(OpenFile::to_read(revoked_path_).read(0, kLongestList));
    is_readable_ = revoked_.is_sound;
  } catch (const Error&) {
    is_readable_ = false;
  }
}

bool AllowList::allows(std::string_view name, std::string_view fingerprint) {
  const std::lock_guard lock(mutex_);
  renew();
  return is_readable_ && is_listed(allowed_, name, fingerprint) &&
         !is_listed(revoked_, name, fingerprint);
}

std::uint64_t AllowList::version() {
  const std::lock_guard lock(mutex_);
  renew();
  return version_;
}

}  // namespace espalier
