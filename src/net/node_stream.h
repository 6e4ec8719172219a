// SPDX-License-Identifier: Apache-2.0
// A node's end of a stream of objects.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "messages/codec.h"
#include "net/line.h"
#include "net/stream_messages.h"
#include "objects/arrival.h"

namespace espalier {

// How long one waits within one transfer: without progress for `patience`, until `deadline`, and
// until `stop` is asked for. Owned by one thread.
class TransferWatch {
 public:
  struct Times {
    std::chrono::milliseconds deadline;  // for all of it
    std::chrono::milliseconds patience;  // without progress
  };
  TransferWatch(Times times, std::stop_token stop);

  void note_progress() { progress_ = Clock::now(); }
  // Until the socket is ready for these. Throws Error{RunFailed} where that takes too long.
  void wait(int socket, short events);

 private:
  using Clock = std::chrono::steady_clock;
  int time_left() const;

  const std::chrono::milliseconds patience_;
  const Clock::time_point end_;
  Clock::time_point progress_ = Clock::now();
  const Descriptor wake_;
  const std::stop_token stop_;
  const std::stop_callback<std::function<void()>> on_stop_;
};

// Throws Error{NotAllowed} where the other side refuses, and Error{RunFailed} where it is not to be
// reached or `watch` gives up; then it is of no use any more. Owned by one thread at a time.
class NodeStream {
 public:
  // `peer`: as gRPC calls it. Without TLS: plain text.
  NodeStream(const std::string& peer, const Tls* tls, TransferWatch& watch);

  // The rest of what arrives.
  void fetch(const StreamRequest& request, Arrival& arrival, TransferWatch& watch);
  // Until it is safe.
  void push(const StreamRequest& request, const OpenFile& file, TransferWatch& watch);
  // Whether another object can go by it.
  bool is_idle() const { return is_idle_ && line_.is_quiet(); }

 private:
  class Upload;

  void send(std::string_view bytes, TransferWatch& watch);
  StreamAnswer answer(TransferWatch& watch);
  // As `Inbox::message`, for whoever does not want to wait.
  std::optional<StreamAnswer> next_answer();
  void wait(TransferWatch& watch);
  void require_open() const;

  Line line_;
  Inbox inbox_;
  bool is_idle_ = true;
};

}  // namespace espalier
