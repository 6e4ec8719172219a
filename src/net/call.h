// SPDX-License-Identifier: Apache-2.0
// What all calls of nodes have in common: they are checked, read one message at a time, and end
// exactly once, whoever ends them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <grpcpp/generic/async_generic_service.h>

#include "core/error.h"
#include "net/reception.h"

namespace espalier {

// Thread-safe; `on_message` and `on_end_of_messages` are never called at the same time. Kept alive
// by gRPC until it has ended, and by whoever holds a pointer.
class Call : public grpc::ServerGenericBidiReactor, public std::enable_shared_from_this<Call> {
 public:
  Call(std::shared_ptr<Reception> reception, Caller caller)
      : reception_(std::move(reception)), caller_(std::move(caller)) {}
  ~Call() override = default;

  // Lets gRPC have it.
  static Call* start(const std::shared_ptr<Call>& call);

  const Caller& caller() const { return caller_; }
  // Ends it unless its caller may still be here.
  void look_again();

 protected:
  // What they throw ends the call.
  virtual void on_message(grpc::ByteBuffer message) = 0;
  virtual void on_end_of_messages();

  Reception& reception() const { return *reception_; }
  Visitor visitor(const std::string& incarnation) const { return {caller_.node, incarnation}; }
  // Asks for the next message.
  void read();
  void send_and_end(std::string bytes);
  void end(const grpc::Status& status);
  void refuse(const Error& error);
  // What it throws ends the call.
  void guarded(const std::function<void()>& work);

 private:
  void OnReadDone(bool is_read) final;
  void OnCancel() final;
  void OnDone() final;

  const std::shared_ptr<Reception> reception_;
  const Caller caller_;
  std::shared_ptr<Call> self_;  // until gRPC is done with it
  grpc::ByteBuffer in_;
  grpc::ByteBuffer out_;
  std::optional<Places::Place> place_;
  std::mutex mutex_;
  bool is_over_ = false;  // guarded by mutex_
};

}  // namespace espalier
