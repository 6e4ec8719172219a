// SPDX-License-Identifier: Apache-2.0
// One call of a node, as a conversation that reads from top to bottom. Below it is gRPC's callback
// API, so that no frozen server can hold the calling thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>

namespace espalier {

struct TalkTimes {
  std::chrono::milliseconds deadline;  // for all of it
  std::chrono::milliseconds patience;  // without progress
};

// Throws Error{NotAllowed} where the other side refuses, and Error{RunFailed} where it is not to be
// reached, makes no progress, or `stop` is asked for. Owned by one thread.
class Talk final : private grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Talk(grpc::GenericStub& stub, std::unique_ptr<grpc::ClientContext> context,
       const std::string& method, TalkTimes times, std::stop_token stop);
  Talk(const Talk&) = delete;
  Talk& operator=(const Talk&) = delete;
  ~Talk();

  // Returns when gRPC can take another one; that is no sign that anything has arrived.
  void send(grpc::ByteBuffer message);
  void end_sending();
  // Nothing after the last one.
  std::optional<grpc::ByteBuffer> receive();
  // The conversation has come further: patience begins anew.
  void note_progress();
  // Waits for its end.
  void finish();
  // Who answered.
  std::string peer() const { return context_->peer(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  void OnWriteDone(bool is_sent) override;
  void OnReadDone(bool is_read) override;
  void OnWritesDoneDone(bool is_sent) override;
  void OnDone(const grpc::Status& status) override;

  template <class Condition>
  void wait(Lock& lock, Condition is_so);
  void await_end(Lock& lock);
  [[noreturn]] void fail(Lock& lock);
  void release();

  const std::unique_ptr<grpc::ClientContext> context_;
  const std::chrono::milliseconds patience_;
  const std::stop_token stop_;
  Clock::time_point progress_ = Clock::now();
  bool is_held_ = true;
  grpc::ByteBuffer out_;
  grpc::ByteBuffer in_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  bool is_writing_ = false;
  bool is_reading_ = false;
  bool has_read_ = false;
  bool is_broken_ = false;
  std::optional<grpc::Status> status_;
  const std::stop_callback<std::function<void()>> on_stop_;
};

}  // namespace espalier
