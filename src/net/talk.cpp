// SPDX-License-Identifier: Apache-2.0
#include "net/talk.h"

#include <string>

#include "net/status.h"

namespace espalier {

Talk::Talk(grpc::GenericStub& stub, std::unique_ptr<grpc::ClientContext> context,
           const std::string& method, TalkTimes times, std::stop_token stop)
    : context_(std::move(context)),
      patience_(times.patience),
      stop_(std::move(stop)),
      on_stop_(stop_, [this] {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
      }) {
  context_->set_deadline(std::chrono::system_clock::now() + times.deadline);
  stub.PrepareBidiStreamingCall(context_.get(), method, {}, this);
  AddHold();
  StartCall();
}

Talk::~Talk() {
  Lock lock(mutex_);
  if (status_) return;
  context_->TryCancel();
  await_end(lock);
}

// Cancelled calls end soon, however frozen the other side is.
void Talk::await_end(Lock& lock) {
  release();
  changed_.wait(lock, [&] { return status_.has_value(); });
}

void Talk::release() {
  if (std::exchange(is_held_, false)) RemoveHold();
}

void Talk::note_progress() { progress_ = Clock::now(); }

template <class Condition>
void Talk::wait(Lock& lock, Condition is_so) {
  const auto is_over = [&] { return is_so() || stop_.stop_requested(); };
  changed_.wait_until(lock, progress_ + patience_, is_over);
  if (is_so()) return;
  context_->TryCancel();
  await_end(lock);
  if (stop_.stop_requested())
    throw Error(ErrorCode::RunFailed, "stopped while talking to the orchestrator");
  throw Error(ErrorCode::RunFailed,
              "the orchestrator made no progress for " + std::to_string(patience_.count()) + " ms");
}

void Talk::fail(Lock& lock) {
  wait(lock, [&] { return status_.has_value(); });
  if (status_->ok())
    throw Error(ErrorCode::RunFailed, "the orchestrator ended the conversation too early");
  throw error_of(*status_);
}

void Talk::send(grpc::ByteBuffer message) {
  Lock lock(mutex_);
  wait(lock, [&] { return !is_writing_ || is_broken_ || status_; });
  if (is_broken_ || status_) {
    release();
    fail(lock);
  }
  is_writing_ = true;
  out_.Swap(&message);
  lock.unlock();
  StartWrite(&out_);
}

void Talk::end_sending() {
  Lock lock(mutex_);
  wait(lock, [&] { return !is_writing_ || is_broken_ || status_; });
  lock.unlock();
  if (!is_broken_) StartWritesDone();
}

std::optional<grpc::ByteBuffer> Talk::receive() {
  Lock lock(mutex_);
  if (status_) return {};
  is_reading_ = true;
  has_read_ = false;
  lock.unlock();
  StartRead(&in_);
  lock.lock();
  wait(lock, [&] { return !is_reading_; });
  if (!has_read_) return {};
  grpc::ByteBuffer message;
  message.Swap(&in_);
  return message;
}

void Talk::finish() {
  Lock lock(mutex_);
  release();
  wait(lock, [&] { return status_.has_value(); });
  if (!status_->ok()) throw error_of(*status_);
}

// `OnDone` comes after these have returned: until then this is there, and whoever is woken does not
// wait for the mutex.
void Talk::OnWriteDone(bool is_sent) {
  {
    const std::lock_guard lock(mutex_);
    is_writing_ = false;
    if (!is_sent) is_broken_ = true;
  }
  changed_.notify_all();
}

void Talk::OnReadDone(bool is_read) {
  {
    const std::lock_guard lock(mutex_);
    is_reading_ = false;
    has_read_ = is_read;
  }
  changed_.notify_all();
}

void Talk::OnWritesDoneDone(bool /*is_sent*/) {}

void Talk::OnDone(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  changed_.notify_all();
}

}  // namespace espalier
