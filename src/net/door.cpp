// SPDX-License-Identifier: Apache-2.0
#include "net/door.h"

#include "certificates/x509.h"
#include "core/error.h"

namespace espalier {
namespace {

[[noreturn]] void refuse_caller(const std::string& why) { throw Error(ErrorCode::NotAllowed, why); }

}  // namespace

Door::Door(std::optional<std::filesystem::path> certificates) {
  if (certificates) list_.emplace(*certificates);
}

Caller Door::recognise(const Claim& claim) const {
  Caller caller{{claim.plain_name}, {}, claim.address};
  if (list_) {
    if (claim.certificate.empty()) refuse_caller("no certificate");
    const CertificateFacts facts = facts_of(claim.certificate);
    caller.node = {facts.name};
    caller.fingerprint = facts.fingerprint;
  }
  if (!is_wire_name(caller.node.value)) refuse_caller("no proper name of a node");
  return caller;
}

bool Door::is_open(const Caller& caller) {
  return !list_ || list_->allows(caller.node.value, caller.fingerprint);
}

void Door::require_open(const Caller& caller) {
  if (!is_open(caller))
    refuse_caller("the certificate of '" + caller.node.value + "' is not allowed, or revoked");
}

std::uint64_t Door::version() { return list_ ? list_->version() : 0; }

}  // namespace espalier
