// SPDX-License-Identifier: Apache-2.0
// What all calls of nodes have in common: they are checked, read one message at a time, and end
// exactly once, whoever ends them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include <grpcpp/generic/async_generic_service.h>

#include "core/error.h"
#include "net/berths.h"
#include "net/door.h"
#include "net/open_calls.h"
#include "net/workers.h"
#include "wire/link.h"

namespace espalier {

// What calls need, and share. Answers of the desk may come after the server has gone; by then all
// calls are over, and touch the door at most.
struct Reception {
  Reception(Desk& the_desk, Workers& the_workers, std::function<void(const std::string&)> noticed,
            std::optional<std::filesystem::path> certificates, CallLimits limits)
      : desk(the_desk),
        workers(the_workers),
        notice(std::move(noticed)),
        door(std::move(certificates)),
        open(limits) {}

  Desk& desk;
  Workers& workers;
  std::function<void(const std::string&)> notice;
  Door door;
  OpenCalls open;
  Berths berths;
};

// Thread-safe; `on_message`, `on_end_of_messages` and `on_sent` are never called twice at the same
// time, each by itself. Kept alive by gRPC until it has ended, and by whoever holds a pointer.
class Call : public grpc::ServerGenericBidiReactor, public std::enable_shared_from_this<Call> {
 public:
  Call(std::shared_ptr<Reception> reception, Caller caller)
      : reception_(std::move(reception)), caller_(std::move(caller)) {}
  ~Call() override = default;

  // Lets gRPC have it. The context must be that of this call.
  static Call* start(const std::shared_ptr<Call>& call, grpc::CallbackServerContext& context);

  const Caller& caller() const { return caller_; }
  // Ends it unless its caller may still be here.
  void look_again();

 protected:
  // What they throw ends the call.
  virtual void on_message(grpc::ByteBuffer message) = 0;
  virtual void on_end_of_messages();
  virtual void on_sent() {}

  Reception& reception() const { return *reception_; }
  Visitor visitor(const std::string& incarnation) const { return {caller_.node, incarnation}; }
  // Asks for the next message.
  void read();
  // REQUIRES: the one before was sent.
  void send(grpc::ByteBuffer message);
  void send_and_end(std::string bytes);
  void end(const grpc::Status& status);
  void refuse(const Error& error);
  // By a worker. What it throws ends the call.
  void do_later(std::function<void()> work);
  // `work` when a piece of so many bytes may be on its way; from then on one is, until
  // `note_through`, which is followed by the next one or by `leave_berth`.
  void when_berthed(std::uint64_t bytes, std::function<void()> work);
  void note_through();
  void leave_berth() { berth_.reset(); }
  // Whether the last piece was through at once.
  bool is_quick() const { return is_quick_; }
  // What it throws ends the call.
  void guarded(const std::function<void()>& work);

 private:
  void OnReadDone(bool is_read) final;
  void OnWriteDone(bool is_sent) final;
  void OnCancel() final;
  void OnDone() final;

  const std::shared_ptr<Reception> reception_;
  const Caller caller_;
  grpc::CallbackServerContext* context_ = nullptr;
  std::shared_ptr<Call> self_;  // until gRPC is done with it
  grpc::ByteBuffer in_;
  grpc::ByteBuffer out_;
  std::shared_ptr<Berths::Berth> berth_;  // of the piece on its way, or of the last one
  Berths::Lane lane_ = Berths::Lane::Quick;
  bool is_quick_ = false;
  std::mutex mutex_;
  bool is_sending_ = false;  // guarded by mutex_
  bool is_over_ = false;     // guarded by mutex_
};

}  // namespace espalier
