// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/stored_object.h"

#include <algorithm>

#include "core/error.h"
#include "io/model_file.h"
#include "wire/digest.h"

namespace espalier {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 20U;

}  // namespace

void StoredObject::read(uint64_t offset, std::span<char> bytes) {
  if (store_.read(object_, offset, bytes) != bytes.size())
    throw Error(ErrorCode::BadInput, name_ + ": ends too early");
}

ObjectWriter::ObjectWriter(ObjectStore& store, ObjectRef object)
    : store_(store), object_(std::move(object)), received_(store_.received(object_)) {}

void ObjectWriter::add(std::string_view bytes) {
  const std::uint64_t end = position_ + bytes.size();
  while (received_ < end) {
    const std::string_view piece = bytes.substr(received_ - position_, kAtOnce);
    const std::uint64_t now = store_.append(object_, received_, piece);
    if (now <= received_) throw Error(ErrorCode::RunFailed, "an object could not be kept");
    received_ = now;
  }
  position_ = end;
}

void put_object(ObjectStore& store, const ObjectRef& object, std::string_view bytes) {
  ObjectWriter(store, object).add(bytes);
}

ObjectRef put_network(ObjectStore& store, const Network& network) {
  Digest digest;
  std::uint64_t size = 0;
  write_model(network, [&](std::string_view bytes) {
    digest.add(bytes);
    size += bytes.size();
  });
  const ObjectRef object{digest.finish(), size};
  ObjectWriter writer(store, object);
  write_model(network, [&](std::string_view bytes) { writer.add(bytes); });
  return object;
}

Network stored_network(const ObjectStore& store, const ObjectRef& object, const std::string& name) {
  std::string bytes(object.size, '\0');
  StoredObject(store, object, name).read(0, bytes);
  return model_from_bytes(bytes, name);
}

}  // namespace espalier
