// SPDX-License-Identifier: Apache-2.0
#include "net/served_stream.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

#include "net/addresses.h"

namespace espalier {
namespace {

constexpr std::uint64_t kBytesPerTurn = 512 * 1024;
constexpr std::uint64_t kToldAtOnce = 256 * 1024;

// What comes without waiting, as much as there is room for.
std::size_t receive_all(Line& line, std::span<char> room) {
  std::size_t there = 0;
  while (there < room.size()) {
    const std::size_t now = line.receive(room.subspan(there));
    if (now == 0) break;
    there += now;
  }
  return there;
}

}  // namespace

ServedStream::ServedStream(Descriptor socket, Reception& reception, const Tls* tls)
    : reception_(reception), tls_(tls), line_(std::move(socket)), peer_(peer_of(line_.socket())) {}

StreamWait ServedStream::turn(std::span<char> room) {
  const std::lock_guard lock(turns_);
  if (is_over_) return StreamWait::Nothing;
  is_at_work_ = true;
  moved_ = 0;
  try {
    if (caller_ && stage_ != Stage::Leaving) reception_.door.require_open(*caller_);
    while (step(room) && moved_ < kBytesPerTurn) {
    }
  } catch (const Error& error) {
    refuse(error);
  } catch (const std::exception& unexpected) {
    refuse(Error(ErrorCode::Bug, unexpected.what()));
  }
  is_at_work_ = false;
  return waiting();
}

StreamWait ServedStream::waiting() const {
  if (is_over_ || line_.failure()) return StreamWait::Nothing;
  if (stage_ == Stage::Leaving && out_.empty()) return StreamWait::ToReceive;
  if (line_.waits_for() == POLLOUT) return StreamWait::ToSend;
  return line_.waits_for() == POLLIN ? StreamWait::ToReceive : StreamWait::ItsTurn;
}

bool ServedStream::step(std::span<char> room) {
  if (!out_.empty()) return flush();
  switch (stage_) {
    case Stage::Preamble:
      return greet();
    case Stage::Handshake:
      return recognise_peer();
    case Stage::Request:
      return hear();
    case Stage::Giving:
      return give(room);
    case Stage::Taking:
      return take(room);
    case Stage::Leaving:
      break;
  }
  return leave(room);
}

bool ServedStream::flush() {
  const std::size_t sent = line_.send(out_);
  out_.erase(0, sent);
  if (sent > 0 && out_.empty() && stage_ == Stage::Leaving) line_.end_sending();
  return sent > 0;
}

bool ServedStream::greet() {
  const auto preamble = inbox_.bytes(line_, kStreamPreamble.size());
  if (!preamble) return false;
  if (*preamble != kStreamPreamble) throw Error(ErrorCode::BadInput, "not a stream of objects");
  if (tls_ != nullptr) line_.secure(*tls_);
  stage_ = Stage::Handshake;
  return true;
}

bool ServedStream::recognise_peer() {
  if (!line_.shake_hands()) {
    if (line_.failure() && line_.failure()->code() == ErrorCode::NotAllowed)
      reception_.note_refusal("a connection", line_.failure()->what());
    return false;
  }
  stage_ = Stage::Request;
  if (tls_ != nullptr) admit({});
  note_progress();
  return true;
}

void ServedStream::admit(const std::string& plain_name) {
  caller_ = reception_.door.recognise({peer_, line_.certificate(), plain_name});
  known_ = &*caller_;
  reception_.door.require_open(*caller_);
  place_.emplace(reception_.places, caller_->node);
  has_place_ = true;
}

bool ServedStream::hear() {
  const auto message = inbox_.message(line_);
  if (!message) return false;
  const StreamRequest request = decode_request(*message);
  if (!caller_) admit(request.node);
  std::visit([&](const auto& what) { begin(what); }, request.what);
  note_progress();
  return true;
}

void ServedStream::begin(const WantedObject& wanted) {
  if (!reception_.desk.may_fetch(visitor(wanted.incarnation), wanted.object))
    throw Error(ErrorCode::NotAllowed, "object " + wanted.object.sha256 + " is not for this node");
  object_ = wanted.object;
  at_ = wanted.offset;
  stage_ = Stage::Giving;
  is_giving_ = true;
  answer(Granted{});
}

bool ServedStream::give(std::span<char> room) {
  if (at_ == object_.size) {
    stage_ = Stage::Request;
    is_giving_ = false;
    return true;
  }
  const std::size_t wanted = std::min<std::uint64_t>(room.size(), object_.size - at_);
  if (reception_.desk.objects().read(object_, at_, room.first(wanted)) != wanted)
    throw Error(ErrorCode::RunFailed, "object " + object_.sha256 + " became shorter");
  std::string_view left(room.data(), wanted);
  while (!left.empty()) {
    const std::size_t sent = line_.send(left);
    if (sent == 0) return false;
    left.remove_prefix(sent);
    at_ += sent;
    moved_ += sent;
    note_progress();
  }
  return true;
}

void ServedStream::begin(const OfferedObject& offered) {
  if (!reception_.desk.may_push(visitor(offered.incarnation), offered.object))
    throw Error(ErrorCode::NotAllowed,
                "object " + offered.object.sha256 + " is not expected from this node");
  object_ = offered.object;
  ObjectStore& objects = reception_.desk.objects();
  at_ = object_.size == 0 ? objects.append(object_, 0, "") : objects.received(object_);
  stage_ = Stage::Taking;
  told_ = at_;
  answer(Progress{at_, at_ == object_.size});
}

bool ServedStream::take(std::span<char> room) {
  if (at_ == object_.size) {
    stage_ = Stage::Request;
    return true;
  }
  const std::size_t wanted = std::min<std::uint64_t>(room.size(), object_.size - at_);
  const std::size_t there = receive_all(line_, room.first(wanted));
  if (there == 0) return false;
  tell(keep({room.data(), there}));
  moved_ += there;
  note_progress();
  return there == wanted || !out_.empty();
}

// Returns how much of the object is there. Another stream may have brought some of it.
std::uint64_t ServedStream::keep(std::string_view bytes) {
  ObjectStore& objects = reception_.desk.objects();
  const std::uint64_t end = at_ + bytes.size();
  std::uint64_t received = objects.append(object_, at_, bytes);
  if (received > at_ && received < end)
    received = objects.append(object_, received, bytes.substr(received - at_));
  if (received < end)
    throw Error(ErrorCode::RunFailed, "object " + object_.sha256 + " has to come again");
  at_ = end;
  return received;
}

void ServedStream::tell(std::uint64_t received) {
  const bool is_safe = received == object_.size;
  if (told_ == object_.size || (!is_safe && received - told_ < kToldAtOnce)) return;
  told_ = received;
  answer(Progress{received, is_safe});
}

// Whoever is refused hears why before the connection ends, if it is at an answer.
void ServedStream::refuse(const Error& error) {
  if (caller_) {
    reception_.note_refusal(*caller_, error.what());
  } else {
    reception_.note_refusal(peer_, error.what());
  }
  const bool can_be_told = stage_ == Stage::Request || stage_ == Stage::Taking;
  if (!can_be_told || is_over_) {
    is_over_ = true;
    return;
  }
  const bool is_temporary = error.code() == ErrorCode::RunFailed || error.code() == ErrorCode::Bug;
  answer(Refusal{is_temporary, error.what()});
  stage_ = Stage::Leaving;
  note_progress();
  flush();
}

// A connection that is closed while bytes come takes with it what was said last.
bool ServedStream::leave(std::span<char> room) {
  const auto count = ::recv(line_.socket(), room.data(), room.size(), MSG_DONTWAIT);
  is_over_ = count == 0 || (count < 0 && errno != EAGAIN);
  moved_ += static_cast<std::uint64_t>(std::max<ssize_t>(count, 0));
  return count > 0;
}

void ServedStream::end_if_stuck(Clock::time_point now, Clock::duration patience) {
  if (!is_at_work_ && now - progress_.load() > patience) ::shutdown(socket(), SHUT_RDWR);
}

// Bytes that nobody takes hold up what could be said.
bool ServedStream::look_again() {
  const Caller* known = known_;
  if (known == nullptr || reception_.door.is_open(*known)) return false;
  if (is_giving_) ::shutdown(socket(), SHUT_RDWR);
  return true;
}

}  // namespace espalier
