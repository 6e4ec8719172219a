// SPDX-License-Identifier: Apache-2.0
#include "net/service.h"

#include <grpc/grpc_security_constants.h>

#include "net/calls.h"
#include "net/methods.h"
#include "net/status.h"

namespace espalier {
namespace {

// Ends at once.
class RefusedCall final : public grpc::ServerGenericBidiReactor {
 public:
  explicit RefusedCall(const grpc::Status& status) { Finish(status); }
  void OnDone() override { const std::unique_ptr<RefusedCall> last(this); }
};

std::string text_of(grpc::string_ref text) { return {text.data(), text.size()}; }

Claim claim_of(const grpc::ServerContextBase& context) {
  Claim claim{context.peer(), {}, {}};
  const auto name = context.client_metadata().find(kPlainNameKey);
  if (name != context.client_metadata().end()) claim.plain_name = text_of(name->second);
  const auto identity = context.auth_context();
  if (!identity || !identity->IsPeerAuthenticated()) return claim;
  const auto certificates = identity->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
  if (certificates.size() == 1) claim.certificate = text_of(certificates.front());
  return claim;
}

}  // namespace

grpc::ServerGenericBidiReactor* Service::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  try {
    const Caller caller = reception_->door.recognise(claim_of(*context));
    const auto call = make_call(context->method(), reception_, caller);
    if (call) return Call::start(call);
    return refuse(*context, Error(ErrorCode::BadInput, "there is no such call"));
  } catch (const Error& error) {
    return refuse(*context, error);
  }
}

grpc::ServerGenericBidiReactor* Service::refuse(const grpc::GenericCallbackServerContext& context,
                                                const Error& error) {
  reception_->note_refusal(context.peer(), error.what());
  return std::make_unique<RefusedCall>(status_of(error)).release();
}

}  // namespace espalier
