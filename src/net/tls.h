// SPDX-License-Identifier: Apache-2.0
// Mutual TLS for streams of objects: version 1.3, the certificates of one authority, nothing that
// is taken up again, and a protocol (ALPN) of its own, so that nobody between the two can pass off
// a connection of gRPC as a stream.
#pragma once

#include <memory>

#include "certificates/credentials.h"

struct ssl_ctx_st;
struct ssl_st;

namespace espalier {

struct FreeTls {
  void operator()(ssl_ctx_st* context) const;
  void operator()(ssl_st* session) const;
};
using TlsSession = std::unique_ptr<ssl_st, FreeTls>;

enum class TlsSide { Orchestrator, Node };

// What all connections of one side share. Immutable.
class Tls {
 public:
  // Throws Error{BadInput} for credentials that are not sound.
  Tls(const Credentials& own, TlsSide side);

  // Over a socket that does not block and outlives it. A node insists on the orchestrator's name.
  TlsSession session(int socket) const;
  // Of a session whose handshake is over: whether both sides mean a stream of objects.
  static bool is_stream(const ssl_st& session);

 private:
  const TlsSide side_;
  std::unique_ptr<ssl_ctx_st, FreeTls> context_;
};

}  // namespace espalier
