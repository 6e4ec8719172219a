// SPDX-License-Identifier: Apache-2.0
#include "net/call.h"

#include "net/bytes.h"
#include "net/status.h"

namespace espalier {

Call* Call::start(const std::shared_ptr<Call>& call) {
  call->self_ = call;
  call->guarded([&] {
    call->reception_->door.require_open(call->caller_);
    call->place_.emplace(call->reception_->places, call->caller_.node);
    call->reception_->open.add(call);
    call->read();
  });
  return call.get();
}

void Call::look_again() {
  guarded([&] { reception_->door.require_open(caller_); });
}

void Call::on_end_of_messages() {
  throw Error(ErrorCode::BadInput, "the messages ended too early");
}

void Call::read() {
  const std::lock_guard lock(mutex_);
  if (!is_over_) StartRead(&in_);
}

void Call::send_and_end(std::string bytes) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_over_, true)) return;
  out_ = to_buffer(std::move(bytes));
  StartWriteAndFinish(&out_, {}, grpc::Status::OK);
}

void Call::end(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_over_, true)) return;
  Finish(status);
}

void Call::refuse(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_over_, true)) return;
  reception_->note_refusal(caller_, error.what());
  Finish(status_of(error));
}

void Call::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    refuse(error);
  } catch (const std::exception& unexpected) {
    refuse(Error(ErrorCode::Bug, unexpected.what()));
  }
}

void Call::OnReadDone(bool is_read) {
  guarded([&] {
    if (!is_read) return on_end_of_messages();
    reception_->door.require_open(caller_);
    grpc::ByteBuffer message;  // gRPC's buffers are never moved from: `in_` would go on holding it
    message.Swap(&in_);
    on_message(std::move(message));
  });
}

void Call::OnCancel() { end({grpc::StatusCode::CANCELLED, "the node is gone"}); }

void Call::OnDone() {
  reception_->open.remove(*this);
  place_.reset();
  const std::shared_ptr<Call> last = std::move(self_);
}

}  // namespace espalier
