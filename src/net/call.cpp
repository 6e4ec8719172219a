// SPDX-License-Identifier: Apache-2.0
#include "net/call.h"

#include "net/bytes.h"
#include "net/open_calls.h"
#include "net/status.h"

namespace espalier {

Call* Call::start(const std::shared_ptr<Call>& call, grpc::CallbackServerContext& context) {
  call->self_ = call;
  call->context_ = &context;
  call->guarded([&] {
    call->reception_->door.require_open(call->caller_);
    call->reception_->open.add(call);
    call->read();
  });
  return call.get();
}

void Call::look_again() {
  if (reception_->door.is_open(caller_)) return;
  {
    const std::lock_guard lock(mutex_);
    // What waits for a peer that does not read cannot be followed by a status.
    if (is_sending_ && !is_over_) return context_->TryCancel();
  }
  guarded([&] { reception_->door.require_open(caller_); });
}

void Call::on_end_of_messages() {
  throw Error(ErrorCode::BadInput, "the messages ended too early");
}

void Call::read() {
  const std::lock_guard lock(mutex_);
  if (!is_over_) StartRead(&in_);
}

void Call::send(grpc::ByteBuffer message) {
  const std::lock_guard lock(mutex_);
  if (is_over_) return;
  is_sending_ = true;
  out_.Swap(&message);
  StartWrite(&out_);
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
  if (reception_->notice)
    reception_->notice("refused " + caller_.node.value + " (" + caller_.address +
                       "): " + error.what());
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

void Call::do_later(std::function<void()> work) {
  reception_->workers.post([self = shared_from_this(), work = std::move(work)] {
    self->guarded([&] {
      self->reception_->door.require_open(self->caller_);
      work();
    });
  });
}

void Call::when_berthed(std::uint64_t bytes, std::function<void()> work) {
  const auto granted = [this, self = shared_from_this(),
                        work = std::move(work)](std::shared_ptr<Berths::Berth> berth) {
    {
      const std::lock_guard lock(mutex_);
      if (is_over_) return;
    }
    berth_ = std::move(berth);
    work();
  };
  reception_->berths.ask(lane_, bytes, granted, std::move(berth_));
}

void Call::note_through() {
  if (!berth_) return;
  lane_ = berth_->next_lane();
  is_quick_ = lane_ == Berths::Lane::Quick;
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

void Call::OnWriteDone(bool is_sent) {
  {
    const std::lock_guard lock(mutex_);
    is_sending_ = false;
    out_.Clear();
  }
  if (!is_sent) return end({grpc::StatusCode::CANCELLED, "the node is gone"});
  guarded([&] { on_sent(); });
}

void Call::OnCancel() { end({grpc::StatusCode::CANCELLED, "the node is gone"}); }

void Call::OnDone() {
  reception_->open.remove(*this);
  const std::shared_ptr<Call> last = std::move(self_);
}

}  // namespace espalier
