// SPDX-License-Identifier: Apache-2.0
// Objects as files of one folder, named by their digests.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "objects/folder.h"
#include "wire/link.h"

namespace espalier {

struct StoreLimits {
  // Larger objects are refused, in bytes. Raise it for networks beyond a billion parameters.
  std::uint64_t largest = std::uint64_t{8} << 30;
  // So many half objects are held open; the others are read again when they go on.
  std::size_t most_open = 512;
};

// Complete objects are called like their digest. What has come of others is kept beside them, and
// survives this process. Thread-safe.
class FileObjectStore final : public ObjectStore {
 public:
  // Makes the folder if it is not there. Throws Error{RunFailed}.
  explicit FileObjectStore(const std::filesystem::path& folder, StoreLimits limits = {});
  ~FileObjectStore() override;

  bool has(const ObjectRef& object) const override;
  std::string read(const ObjectRef& object, std::uint64_t offset, std::size_t bytes) const override;
  std::size_t read(const ObjectRef& object, std::uint64_t offset,
                   std::span<char> room) const override;
  std::uint64_t received(const ObjectRef& object) const override;
  std::uint64_t append(const ObjectRef& object, std::uint64_t offset,
                       std::string_view bytes) override;
  // However much of it is there.
  void drop(const ObjectRef& object) override;
  void keep_only(const ObjectRef& object) override;

  // One of our own. Returns its name once it is safe on the disk.
  ObjectRef add(std::string_view bytes);
  // Where a complete object is, to read it. Throws Error{NotAllowed} for what is not there.
  std::filesystem::path path_of(const ObjectRef& object) const;

 private:
  struct Shelf;  // what has come of one object
  using ShelfPointer = std::shared_ptr<Shelf>;

  void require_sound(const ObjectRef& object) const;
  ShelfPointer shelf_of(const ObjectRef& object) const;
  void forget(const ObjectRef& object) const;
  std::uint64_t take(const ObjectRef& object, std::uint64_t offset, std::string_view bytes) const;
  std::uint64_t take_on(Shelf& shelf, const ObjectRef& object, std::uint64_t offset,
                        std::string_view bytes) const;

  StoreLimits limits_;
  Folder folder_;
  std::mutex adding_;
  mutable std::mutex mutex_;
  mutable std::map<ObjectRef, ShelfPointer> shelves_;  // guarded by mutex_
};

}  // namespace espalier
