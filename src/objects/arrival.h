// SPDX-License-Identifier: Apache-2.0
// A file that comes from a peer in pieces, in order, and may be continued by another process.
#pragma once

#include <cstdint>
#include <string>

#include "objects/folder.h"
#include "wire/digest.h"
#include "wire/link.h"
#include "wire/names.h"

namespace espalier {

// Where it goes: `part` until it is complete, `whole` afterwards.
struct ArrivalNames {
  std::string part;
  std::string whole;
};

// Invariant: `whole` is never there but complete and with the right digest. What came before is
// kept. Throws FileError where the disk does not play along. Owned by one thread at a time.
class Arrival {
 public:
  // Goes on with what is there of it. The folder must outlive this.
  Arrival(const Folder& folder, ArrivalNames names, ObjectRef expected);

  std::uint64_t received() const { return received_; }
  std::uint64_t missing() const { return expected_.size - received_; }
  bool is_complete() const { return received_ == expected_.size; }
  // Throws Error{NotAllowed} where that is more than was announced.
  void append(std::string_view bytes);
  // To the disk, under its name. REQUIRES: is_complete(). Throws Error{NotAllowed} where the digest
  // is wrong; then nothing is left of it.
  void commit();

 private:
  void take_up();

  const Folder& folder_;
  ArrivalNames names_;
  ObjectRef expected_;
  OpenFile file_;
  Digest digest_;
  std::uint64_t received_ = 0;
  std::uint64_t on_its_way_ = 0;  // to the disk, of what was received
};

}  // namespace espalier
