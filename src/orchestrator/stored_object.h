// SPDX-License-Identifier: Apache-2.0
// Objects of a store as bytes to read, and networks put into one.
#pragma once

#include "io/byte_source.h"
#include "networks/tensors.h"
#include "wire/link.h"

namespace espalier {

// Borrows the store. Owned by one thread.
class StoredObject final : public ByteSource {
 public:
  // `name` is for messages: who sent it.
  StoredObject(const ObjectStore& store, ObjectRef object, std::string name)
      : store_(store), object_(std::move(object)), name_(std::move(name)) {}
  uint64_t size() const override { return object_.size; }
  void read(uint64_t offset, std::span<char> bytes) override;
  const std::string& name() const override { return name_; }

 private:
  const ObjectStore& store_;
  ObjectRef object_;
  std::string name_;
};

// Takes the bytes of an object in order, in pieces of any size, and passes over those that the
// store has already. The object is safe when the last one was added. Borrows the store. Owned by
// one thread.
class ObjectWriter {
 public:
  ObjectWriter(ObjectStore& store, ObjectRef object);
  // Throws Error{RunFailed} where they cannot be kept.
  void add(std::string_view bytes);

 private:
  ObjectStore& store_;
  const ObjectRef object_;
  std::uint64_t received_;
  std::uint64_t position_ = 0;
};

// When it returns it is safe.
void put_object(ObjectStore& store, const ObjectRef& object, std::string_view bytes);

// Returns what it is known by. There is never a second copy of it in memory.
ObjectRef put_network(ObjectStore& store, const Network& network);

Network stored_network(const ObjectStore& store, const ObjectRef& object, const std::string& name);

}  // namespace espalier
