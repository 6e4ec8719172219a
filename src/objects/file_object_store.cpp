// SPDX-License-Identifier: Apache-2.0
#include "objects/file_object_store.h"

#include <optional>

#include "core/error.h"
#include "objects/arrival.h"
#include "wire/digest.h"

namespace espalier {
namespace {

// The size is part of the name: two announcements that differ in it do not disturb each other.
ArrivalNames names_of(const ObjectRef& object) {
  return {object.sha256 + "-" + std::to_string(object.size) + ".part", object.sha256};
}

std::filesystem::path made(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorCode::RunFailed,
                folder.string() + ": cannot make this folder: " + failure.message());
  return folder;
}

}  // namespace

struct FileObjectStore::Shelf {
  std::mutex mutex;
  std::optional<Arrival> arrival;  // guarded by mutex
};

FileObjectStore::FileObjectStore(const std::filesystem::path& folder, StoreLimits limits)
    : limits_(limits), folder_(made(folder)) {}

FileObjectStore::~FileObjectStore() = default;

void FileObjectStore::require_sound(const ObjectRef& object) const {
  if (!is_object_ref(object))
    throw Error(ErrorCode::NotAllowed, "this is not the name of an object");
  if (object.size > limits_.largest)
    throw Error(ErrorCode::NotAllowed, "object " + object.sha256 + ": its " +
                                           std::to_string(object.size) +
                                           " bytes are more than the " +
                                           std::to_string(limits_.largest) + " that are allowed");
}

bool FileObjectStore::has(const ObjectRef& object) const {
  return is_object_ref(object) && folder_.size_of(object.sha256) == object.size;
}

std::filesystem::path FileObjectStore::path_of(const ObjectRef& object) const {
  if (!has(object))
    throw Error(ErrorCode::NotAllowed, is_object_ref(object)
                                           ? "object " + object.sha256 + " is not here"
                                           : "this is not the name of an object");
  return folder_.path() / object.sha256;
}

std::string FileObjectStore::read(const ObjectRef& object, std::uint64_t offset,
                                  std::size_t bytes) const {
  path_of(object);
  return folder_.open(object.sha256).read(offset, bytes);
}

std::size_t FileObjectStore::read(const ObjectRef& object, std::uint64_t offset,
                                  std::span<char> room) const {
  path_of(object);
  return folder_.open(object.sha256).read(offset, room);
}

FileObjectStore::ShelfPointer FileObjectStore::shelf_of(const ObjectRef& object) const {
  const std::lock_guard lock(mutex_);
  if (shelves_.size() >= limits_.most_open)
    std::erase_if(shelves_, [](const auto& one) { return one.second.use_count() == 1; });
  ShelfPointer& shelf = shelves_[object];
  if (!shelf) shelf = std::make_shared<Shelf>();
  return shelf;
}

void FileObjectStore::forget(const ObjectRef& object) const {
  const std::lock_guard lock(mutex_);
  shelves_.erase(object);
}

std::uint64_t FileObjectStore::received(const ObjectRef& object) const {
  require_sound(object);
  if (has(object)) return object.size;
  const std::uint64_t there = folder_.size_of(names_of(object).part).value_or(0);
  return there < object.size ? there : take(object, there, {});
}

std::uint64_t FileObjectStore::append(const ObjectRef& object, std::uint64_t offset,
                                      std::string_view bytes) {
  require_sound(object);
  return take(object, offset, bytes);
}

std::uint64_t FileObjectStore::take(const ObjectRef& object, std::uint64_t offset,
                                    std::string_view bytes) const {
  const ShelfPointer shelf = shelf_of(object);
  const std::lock_guard lock(shelf->mutex);
  if (has(object)) return object.size;
  try {
    const std::uint64_t received = take_on(*shelf, object, offset, bytes);
    if (received == object.size) forget(object);
    return received;
  } catch (const Error&) {
    shelf->arrival.reset();
    forget(object);
    throw;
  }
}

std::uint64_t FileObjectStore::take_on(Shelf& shelf, const ObjectRef& object, std::uint64_t offset,
                                       std::string_view bytes) const {
  std::optional<Arrival>& arrival = shelf.arrival;
  if (!arrival) arrival.emplace(folder_, names_of(object), object);
  if (offset == arrival->received()) arrival->append(bytes);
  if (!arrival->is_complete()) return arrival->received();
  arrival->commit();
  arrival.reset();
  return object.size;
}

ObjectRef FileObjectStore::add(std::string_view bytes) {
  const ObjectRef object = object_of(bytes);
  const std::lock_guard lock(adding_);
  if (has(object)) return object;
  const ArrivalNames names{object.sha256 + ".own.part", object.sha256};
  folder_.remove(names.part);
  Arrival arrival(folder_, names, object);
  arrival.append(bytes);
  arrival.commit();
  return object;
}

void FileObjectStore::drop(const ObjectRef& object) {
  require_sound(object);
  forget(object);
  folder_.remove(names_of(object).part);
  folder_.remove(object.sha256);
}

void FileObjectStore::keep_only(const ObjectRef& object) {
  require_sound(object);
  const std::lock_guard adding(adding_);
  const std::lock_guard lock(mutex_);
  std::erase_if(shelves_, [&](const auto& one) { return one.first != object; });
  for (const std::string& name : folder_.names())
    if (name != object.sha256) folder_.remove(name);
}

}  // namespace espalier
