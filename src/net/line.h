// SPDX-License-Identifier: Apache-2.0
// One connection, as plain text or with TLS, that nobody ever waits in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "files/descriptor.h"
#include "net/tls.h"

namespace espalier {

// Owned by one thread at a time.
class Line {
 public:
  // REQUIRES: it does not block.
  explicit Line(Descriptor socket) : socket_(std::move(socket)) {}

  // From now on with TLS.
  void secure(const Tls& tls) { session_ = tls.session(socket_.value()); }
  // Whether both sides know each other. If not: wait, or see `failure`.
  bool shake_hands();
  // How many bytes there were; none: wait, or see `failure`.
  std::size_t receive(std::span<char> room);
  // How many of them were sent; none: wait, or see `failure`; then begin with the same ones, and no
  // fewer of them.
  std::size_t send(std::string_view bytes);
  // Nothing will be sent any more.
  void end_sending();

  // Why nothing goes any more: RunFailed, or NotAllowed where a certificate is not accepted.
  const std::optional<Error>& failure() const { return failure_; }
  // What to poll for, if the last thing done has to wait; otherwise 0.
  short waits_for() const { return waits_for_; }
  // Bytes that have come and polling does not tell of.
  bool has_more() const;
  // Nothing has come that nobody asked for, and it has not ended.
  bool is_quiet() const;
  int socket() const { return socket_.value(); }
  // The peer's, as PEM. Empty without TLS.
  std::string certificate() const;

 private:
  std::size_t result_of(int count);
  std::size_t plain_result_of(long count, short waits_for);
  void fail(int error);

  Descriptor socket_;
  TlsSession session_;  // gone before its socket
  short waits_for_ = 0;
  bool has_received_ = false;
  std::optional<Error> failure_;
};

}  // namespace espalier
