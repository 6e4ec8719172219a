// SPDX-License-Identifier: Apache-2.0
// Who calls, and whether they may come in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "certificates/allow_list.h"
#include "wire/names.h"

namespace espalier {

struct Caller {
  NodeName node;
  std::string fingerprint;  // empty without TLS
  std::string address;
};

// What a connection tells about who is at its other end.
struct Claim {
  std::string address;
  std::string certificate;  // PEM, proved by TLS; empty where there is none
  std::string plain_name;   // believed where there is no TLS
};

// Thread-safe.
class Door {
 public:
  // Without certificates: callers are who they say they are.
  explicit Door(std::optional<std::filesystem::path> certificates);

  // Throws Error{NotAllowed} for those who have no certificate, or whose name is none.
  Caller recognise(const Claim& claim) const;
  // As the lists say now. Throws Error{NotAllowed}.
  void require_open(const Caller& caller);
  bool is_open(const Caller& caller);
  // Another number whenever the lists have changed.
  std::uint64_t version();

 private:
  std::optional<AllowList> list_;
};

}  // namespace espalier
