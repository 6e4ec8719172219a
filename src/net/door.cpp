// SPDX-License-Identifier: Apache-2.0
#include "net/door.h"

#include <grpc/grpc_security_constants.h>

#include "certificates/x509.h"
#include "core/error.h"
#include "net/methods.h"

namespace espalier {
namespace {

[[noreturn]] void refuse_caller(const std::string& why) { throw Error(ErrorCode::NotAllowed, why); }

std::string text_of(grpc::string_ref text) { return {text.data(), text.size()}; }

std::string plain_name(const grpc::ServerContextBase& context) {
  const auto found = context.client_metadata().find(kPlainNameKey);
  return found == context.client_metadata().end() ? "" : text_of(found->second);
}

CertificateFacts facts_of_caller(const grpc::ServerContextBase& context) {
  const auto identity = context.auth_context();
  if (!identity || !identity->IsPeerAuthenticated()) refuse_caller("no certificate");
  const auto certificates = identity->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
  if (certificates.size() != 1) refuse_caller("no certificate");
  return facts_of(text_of(certificates.front()));
}

}  // namespace

Door::Door(std::optional<std::filesystem::path> certificates) {
  if (certificates) list_.emplace(*certificates);
}

Caller Door::recognise(const grpc::ServerContextBase& context) const {
  Caller caller{{}, {}, context.peer()};
  if (list_) {
    const CertificateFacts facts = facts_of_caller(context);
    caller.node = {facts.name};
    caller.fingerprint = facts.fingerprint;
  } else {
    caller.node = {plain_name(context)};
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
