// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/stored_object.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "io/model_file.h"
#include "wire/digest.h"

namespace espalier {
namespace {

constexpr std::size_t kPutAtOnce = std::size_t{1} << 20U;

}  // namespace

void StoredObject::read(uint64_t offset, std::span<char> bytes) {
  while (!bytes.empty()) {
    const std::string piece = store_.read(object_, offset, bytes.size());
    if (piece.empty() || piece.size() > bytes.size())
      throw Error(ErrorCode::BadInput, name_ + ": ends too early");
    std::memcpy(bytes.data(), piece.data(), piece.size());
    offset += piece.size();
    bytes = bytes.subspan(piece.size());
  }
}

void put_object(ObjectStore& store, const ObjectRef& object, std::string_view bytes) {
  std::uint64_t received = store.received(object);
  while (received < object.size) {
    const std::uint64_t now = store.append(object, received, bytes.substr(received, kPutAtOnce));
    if (now <= received) throw Error(ErrorCode::RunFailed, "an object could not be kept");
    received = now;
  }
}

ObjectRef put_network(ObjectStore& store, const Network& network) {
  const std::string bytes = model_bytes(network);
  const ObjectRef object = object_of(bytes);
  put_object(store, object, bytes);
  return object;
}

Network stored_network(const ObjectStore& store, const ObjectRef& object, const std::string& name) {
  std::string bytes(object.size, '\0');
  StoredObject(store, object, name).read(0, bytes);
  return model_from_bytes(bytes, name);
}

}  // namespace espalier
