// SPDX-License-Identifier: Apache-2.0
#include "net/service.h"

#include "net/calls.h"
#include "net/status.h"

namespace espalier {
namespace {

// Ends at once.
class Refusal final : public grpc::ServerGenericBidiReactor {
 public:
  explicit Refusal(const grpc::Status& status) { Finish(status); }
  void OnDone() override { const std::unique_ptr<Refusal> last(this); }
};

}  // namespace

grpc::ServerGenericBidiReactor* Service::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  try {
    const Caller caller = reception_->door.recognise(*context);
    const auto call = make_call(context->method(), reception_, caller);
    if (call) return Call::start(call, *context);
    return refuse(*context, Error(ErrorCode::BadInput, "there is no such call"));
  } catch (const Error& error) {
    return refuse(*context, error);
  }
}

grpc::ServerGenericBidiReactor* Service::refuse(const grpc::GenericCallbackServerContext& context,
                                                const Error& error) {
  if (reception_->notice) reception_->notice("refused " + context.peer() + ": " + error.what());
  return std::make_unique<Refusal>(status_of(error)).release();
}

}  // namespace espalier
