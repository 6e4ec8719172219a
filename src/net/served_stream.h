// SPDX-License-Identifier: Apache-2.0
// The orchestrator's end of a stream: who it is, what is wanted or offered, its bytes, and again.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "messages/codec.h"
#include "net/line.h"
#include "net/reception.h"
#include "net/stream_messages.h"

namespace espalier {

// What it waits for after a turn.
enum class StreamWait { ToReceive, ToSend, ItsTurn, Nothing /* it is over */ };

// Keeps no bytes of objects between turns: what could not be sent is read again from its file.
// Thread-safe; turns follow one another.
class ServedStream {
 public:
  using Clock = std::chrono::steady_clock;

  // Without TLS: nodes are believed who they say they are. Both must outlive it.
  ServedStream(Descriptor socket, Reception& reception, const Tls* tls);

  // As far as it goes without waiting, and no longer than others can wait. `room` is for bytes on
  // their way.
  StreamWait turn(std::span<char> room);
  // Ends it, so that polling tells, where it has come no further for so long.
  void end_if_stuck(Clock::time_point now, Clock::duration patience);
  // True where its next turn, which should come at once, ends it: its node may not be here any
  // more.
  bool look_again();
  // Whether it is one of those that its node may have.
  bool has_place() const { return has_place_; }
  int socket() const { return line_.socket(); }

 private:
  enum class Stage { Preamble, Handshake, Request, Giving, Taking, Leaving };

  // Each: whether it goes on at once.
  bool step(std::span<char> room);
  bool greet();
  bool recognise_peer();
  bool hear();
  bool give(std::span<char> room);
  bool take(std::span<char> room);
  bool leave(std::span<char> room);
  bool flush();

  void begin(const WantedObject& wanted);
  void begin(const OfferedObject& offered);
  std::uint64_t keep(std::string_view bytes);
  void tell(std::uint64_t received);
  void admit(const std::string& plain_name);
  void answer(const StreamAnswer& answer) { out_ += framed(encode(answer)); }
  void refuse(const Error& error);
  void note_progress() { progress_ = Clock::now(); }
  StreamWait waiting() const;
  Visitor visitor(const std::string& incarnation) const { return {caller_->node, incarnation}; }

  Reception& reception_;
  const Tls* tls_;
  std::mutex turns_;
  // Of whose turn it is.
  Line line_;
  std::string peer_;
  Inbox inbox_;
  std::string out_;  // messages that are not sent yet
  Stage stage_ = Stage::Preamble;
  std::optional<Caller> caller_;
  std::optional<Places::Place> place_;
  ObjectRef object_;
  std::uint64_t at_ = 0;     // in the object
  std::uint64_t told_ = 0;   // that so much has come
  std::uint64_t moved_ = 0;  // bytes, in this turn
  bool is_over_ = false;
  // For whoever looks after it.
  std::atomic<Clock::time_point> progress_ = Clock::now();
  std::atomic<bool> is_at_work_ = false;
  std::atomic<bool> is_giving_ = false;
  std::atomic<bool> has_place_ = false;
  std::atomic<const Caller*> known_ = nullptr;
};

}  // namespace espalier
