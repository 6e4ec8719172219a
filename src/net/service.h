// SPDX-License-Identifier: Apache-2.0
// What gRPC asks for every call that comes in.
#pragma once

#include <memory>

#include <grpcpp/generic/async_generic_service.h>

#include "net/call.h"

namespace espalier {

// Thread-safe.
class Service final : public grpc::CallbackGenericService {
 public:
  explicit Service(std::shared_ptr<Reception> reception) : reception_(std::move(reception)) {}

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  grpc::ServerGenericBidiReactor* refuse(const grpc::GenericCallbackServerContext& context,
                                         const Error& error);

  const std::shared_ptr<Reception> reception_;
};

}  // namespace espalier
