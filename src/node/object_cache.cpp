// SPDX-License-Identifier: Apache-2.0
#include "node/object_cache.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

#include "core/error.h"
#include "files/written_file.h"
#include "io/wording.h"
#include "wire/digest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

int lock_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  const int lock =
      ::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0)
    throw Error(ErrorCode::BadInput, "'" + shown(folder.string()) + "' cannot be written to",
                "--work names a folder that this node may write to");
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  ::close(lock);
  throw Error(ErrorCode::BadInput,
              "'" + shown(folder.string()) + "' is in use by another node agent",
              "every agent has a name and a folder of its own; --work names another");
}

}  // namespace

ObjectCache::ObjectCache(fs::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes), lock_(lock_folder(folder_)) {}

ObjectCache::~ObjectCache() { ::close(lock_); }

fs::path ObjectCache::path_of(const ObjectRef& object) const {
  ESPALIER_CHECK(is_object_ref(object));
  return folder_ / (object.sha256 + ".object");
}

bool ObjectCache::has(const ObjectRef& object) {
  const fs::path path = path_of(object);
  std::error_code failure;
  if (!fs::is_regular_file(fs::symlink_status(path, failure))) return false;
  if (fs::file_size(path, failure) != object.size ||
      (!checked_.contains(object.sha256) && object_in(path) != object)) {
    fs::remove(path, failure);
    return false;
  }
  checked_.insert(object.sha256);
  fs::last_write_time(path, fs::file_time_type::clock::now(), failure);
  return true;
}

std::vector<ObjectCache::Entry> ObjectCache::entries() const {
  std::vector<Entry> all;
  std::error_code failure;
  for (const auto& file : fs::directory_iterator(folder_, failure)) {
    if (file.path().filename() == "lock" || !file.is_regular_file(failure)) continue;
    all.push_back({file.path(), file.file_size(failure), file.last_write_time(failure)});
  }
  std::ranges::sort(all, {}, &Entry::used);
  return all;
}

void ObjectCache::make_room(const ObjectRef& object) {
  const std::vector<Entry> all = entries();
  std::uint64_t sum = object.size;
  for (const Entry& entry : all) sum += entry.size;
  const std::string kept = path_of(object).stem().string();
  for (const Entry& entry : all) {
    if (sum <= most_bytes_) return;
    if (entry.path.filename().string().starts_with(kept)) continue;
    std::error_code failure;
    fs::remove(entry.path, failure);
    sum -= entry.size;
  }
}

ObjectRef ObjectCache::put(std::string_view bytes) {
  const ObjectRef object = object_of(bytes);
  if (has(object)) return object;
  make_room(object);
  const fs::path path = path_of(object);
  const fs::path temporary = path.string() + ".new";
  WrittenFile file(temporary, WrittenFile::From::Anew);
  file.write(bytes);
  std::error_code failure;
  if (file.is_sound()) fs::rename(temporary, path, failure);
  if (!file.is_sound() || failure) {
    fs::remove(temporary, failure);
    throw Error(ErrorCode::RunFailed, "'" + shown(path.string()) + "' cannot be written",
                "is the disk full?");
  }
  checked_.insert(object.sha256);
  return object;
}

}  // namespace espalier
